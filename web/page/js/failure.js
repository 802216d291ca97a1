// Failure is an error that an engine returned.
export class Failure extends Error {
  constructor(status, body) {
    super(body?.error?.message ?? `the engine answered with status ${status}`);
    this.status = status;
    this.body = body ?? {};
  }

  // the problems of the scene that caused the failure, if any
  get problems() { return this.body.error?.problems ?? []; }
}

// aborted reports whether an error means that the request was canceled.
export const aborted = (error) => error?.name === 'AbortError';
