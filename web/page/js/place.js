// Two places share the page: the workbench with a scene, and the course.
import { byId, make, say } from './dom.js';

let course = null;    // resolves with the course; null until it is first opened
let fragment = '';    // the fragment with which the playground comes back
let title = '';

// initPlace sets up the buttons that lead from one place to the other.
export function initPlace() {
  byId('course-open').addEventListener('click', () => {
    fragment = location.hash;
    location.hash = 'course';
  });
  byId('course-close').addEventListener('click', () => {
    history.pushState(null, '', location.pathname + location.search + fragment);
    leaveCourse();
  });
}

// enterCourse shows a stage of the course. scenes is the list of scenes and lessons.
export async function enterCourse(link, engine, scenes) {
  if (document.body.dataset.place !== 'course') title = document.title;
  document.body.dataset.place = 'course';
  byId('work').inert = true;
  byId('course').hidden = false;
  try {
    if (!course) {
      byId('course').replaceChildren(make('p', { className: 'loading', role: 'status' }, 'Loading the course …'));
      course = import('./course/course.js').then(({ openCourse }) => openCourse(engine, scenes));
    }
    (await course).show(link.course, link);
  } catch (error) {
    course = null;
    byId('course').replaceChildren(make('p', { className: 'loading', role: 'alert' }, `The course cannot be loaded: ${error.message}`));
    say('The course cannot be loaded.', 'bad');
  }
}

// leaveCourse shows the workbench again.
export function leaveCourse() {
  if (document.body.dataset.place !== 'course') return;
  delete document.body.dataset.place;
  byId('course').hidden = true;
  byId('work').inert = false;
  document.title = title;
}

// isCourse reports whether a link leads to the course. It remembers the other fragments.
export function isCourse(link) {
  if (link.course === undefined) fragment = location.hash;
  return link.course !== undefined;
}
