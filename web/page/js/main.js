// The playground: loads an engine and the workbench at the same time, then connects them.
import { byId } from './dom.js';
import { connect } from './engine.js';
import { enterCourse, initPlace, isCourse, leaveCourse } from './place.js';
import { read } from './link.js';
import { tabStore } from './storage.js';

const TOKEN = 'pillbox-token';

let token = tabStore.read(TOKEN);

// takeToken removes the token from the address, so that it is neither shared nor bookmarked.
function takeToken(link) {
  if (!link.token) return;
  token = link.token;
  tabStore.write(TOKEN, token);
  const rest = new URLSearchParams(location.hash.slice(1));
  rest.delete('token');
  history.replaceState(null, '', location.pathname + location.search + (rest.size ? `#${rest}` : ''));
}

const linkOfAddress = () => read(location.hash).catch(() => ({ broken: true }));

// showLoading shows how many bytes of the engine are loaded; total is 0 if it is unknown.
function showLoading(loaded, total) {
  const share = total ? `${Math.floor((100 * loaded) / total)} %` : `${Math.ceil(loaded / 1000)} kB`;
  byId('start-text').textContent = `Loading the renderer: ${share}`;
  byId('start-progress').hidden = !total;
  if (total) byId('start-progress').value = loaded / total;
}

async function begin() {
  byId('start-help').hidden = true; // scripts are running
  const link = await linkOfAddress();
  takeToken(link);
  const [{ engine, about, list }, { Workbench }] = await Promise.all([connect(token, showLoading), import('./workbench.js')]);
  document.body.classList.remove('starting'); // from here on, sizes can be measured
  const bench = new Workbench(engine, about, list);
  const enter = (to) => enterCourse(to, engine, bench.scenes);
  initPlace();
  bench.begin(isCourse(link) ? {} : link);
  if (isCourse(link)) await enter(link);
  addEventListener('hashchange', async () => {
    const next = await linkOfAddress();
    takeToken(next);
    if (next.token) location.reload(); // the user has opened the printed address of another server
    else if (isCourse(next)) await enter(next);
    else {
      leaveCourse();
      bench.open(next);
    }
  });
  document.documentElement.dataset.ready = engine.kind;
}

begin().catch((error) => {
  byId('start').hidden = true;
  byId('fatal').hidden = false;
  byId('fatal-text').textContent = error.message;
  console.warn(error);
});
