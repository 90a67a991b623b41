import { onTestFinished, vi } from 'vitest';

/**
 * Until the test ends, `AbortSignal.timeout` ends when the test says so: on a busy machine a real one may
 * end before anything was sent. `asked` has the milliseconds that were asked for.
 */
export function holdTimeout() {
  const controller = new AbortController();
  const asked = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(controller.signal);
  onTestFinished(() => asked.mockRestore());
  return { asked, end: () => controller.abort(new DOMException('too slow', 'TimeoutError')) };
}

/** Until the file ends nothing is given up, what is noted beside a request included: that has a second. */
export const giveNothingUp = () =>
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
