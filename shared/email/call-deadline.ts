export class CallTooLate extends Error {
  override readonly name = 'CallTooLate';
  constructor() {
    super('the time to make the call was over, so nothing was sent');
  }
}

/**
 * A middleware of the SDK that checks the clock just before each try leaves: the sandbox may have frozen while
 * credentials were read, the request was signed or an earlier try failed.
 */
export const refuseAfter =
  (beginsBefore: number, now: () => number = Date.now) =>
  <Request, Answer>(next: (request: Request) => Promise<Answer>) =>
  async (request: Request): Promise<Answer> => {
    if (now() >= beginsBefore) throw new CallTooLate();
    return next(request);
  };

/** Inside the SDK's retries, and after everything else. */
export const justBeforeEachTry = {
  name: 'refuseAfter',
  step: 'deserialize',
  priority: 'low',
} as const;
