// The playground: finds an engine, then connects text, picture and explanation.
import { connect } from './engine.js';
import { read } from './link.js';
import { Workbench } from './workbench.js';
import { byId } from './dom.js';

// takeToken takes the token out of the address, so that it is neither shared nor bookmarked.
function takeToken(link) {
  if (link.token) {
    sessionStorage.setItem('pillbox-token', link.token);
    history.replaceState(null, '', location.pathname + location.search);
  }
  return sessionStorage.getItem('pillbox-token');
}

async function begin() {
  const link = await read(location.hash).catch(() => ({ broken: true }));
  const { engine, about } = await connect(takeToken(link));
  const bench = new Workbench(engine, about);
  await bench.begin(link);
  addEventListener('hashchange', async () => bench.open(await read(location.hash).catch(() => ({ broken: true }))));
  document.documentElement.dataset.ready = engine.kind;
}

begin().catch((error) => {
  byId('fatal').hidden = false;
  byId('fatal-text').textContent = error.message;
  console.warn(error);
});
