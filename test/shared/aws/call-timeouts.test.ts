import { expect, it, vi } from 'vitest';
import { callTimeouts } from '#shared/aws/call-timeouts';

it('a call to AWS may be silent for the time given, and longer on a busy test machine', () => {
  vi.stubEnv('CALL_TIMEOUT_FACTOR', undefined);
  const deployed = callTimeouts(3_000);
  vi.stubEnv('CALL_TIMEOUT_FACTOR', '10');
  const tested = callTimeouts(3_000);

  expect(deployed).toMatchObject({ connectionTimeout: 1_000, requestTimeout: 3_000 });
  expect(tested).toMatchObject({ connectionTimeout: 10_000, requestTimeout: 30_000 });
});
