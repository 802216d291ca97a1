// The list of views: what a picture shows instead of colors.
import { byId, make } from './dom.js';

const TITLES = { color: 'Color', normal: 'Normals', depth: 'Depth', object: 'Solids', shadow: 'Shadows', occlusion: 'Occlusion', facing: 'Facing', bounces: 'Bounces', cost: 'Cost' };

export function initViews(views, onChange) {
  const select = byId('view');
  const shown = views.filter(({ name }) => name !== 'id').sort((a, b) => (b.name === 'color') - (a.name === 'color'));
  select.replaceChildren(...shown.map(({ name, meaning }) => (
    make('option', { value: name, title: meaning ?? '' }, TITLES[name] ?? name))));
  const explain = () => { select.title = views.find(({ name }) => name === select.value)?.meaning ?? ''; };
  select.addEventListener('change', () => {
    explain();
    onChange(select.value);
  });
  explain();
}
