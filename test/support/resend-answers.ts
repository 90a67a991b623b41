import { expect } from 'vitest';

/** What an answer of Resend's client holds, if it is no error. */
export function dataOf<Data>({ data, error }: { data: Data | null; error: unknown }): Data {
  expect(error).toBeNull();
  if (data === null) throw new Error('Neither data nor error');
  return data;
}
