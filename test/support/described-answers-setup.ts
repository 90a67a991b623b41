import { afterAll, expect } from 'vitest';
import { isDescribed, undescribedIn } from './described-answers.ts';

// Every end-to-end test gets its answers through `fetch`. So here each of them is held against the description
// of the service, whatever else the test expects of it.

const { fetch: request } = globalThis;
const faults: string[] = [];

globalThis.fetch = async (...given) => {
  const response = await request(...given);
  const { method } = new Request(...given);
  const { pathname: path, hostname } = new URL(response.url);
  if (hostname !== '127.0.0.1' || response.redirected || !isDescribed(method, path)) {
    return response;
  }
  const { status, headers } = response;
  const body = await response.clone().text();
  for (const fault of await undescribedIn({ method, path, status, headers, body })) {
    faults.push(`${method} ${path}: ${fault}`);
  }
  return response;
};

afterAll(() => {
  globalThis.fetch = request;
  expect(faults).toEqual([]);
});
