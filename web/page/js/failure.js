// Failure is an error that an engine answered with.
export class Failure extends Error {
  constructor(status, body) {
    super(body?.error?.message ?? `the engine answered with status ${status}`);
    this.status = status;
    this.body = body ?? {};
  }

  // problems of the scene that forbid the request; none if it is for another reason
  get problems() { return this.body.error?.problems ?? []; }
}

// aborted says whether an error only means that nobody waits for the answer any more.
export const aborted = (error) => error?.name === 'AbortError';
