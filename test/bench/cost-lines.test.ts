import { describe, expect, it } from 'vitest';
import { dollarsOf, linesOf, type Used } from './cost-lines.ts';

const nothing: Used = {
  writeUnits: 0,
  readUnits: 0,
  storedBytes: 0,
  httpRequests: 0,
  snsEvents: 0,
  sqsRequests: 0,
  logBytes: 0,
  bytesOut: 0,
  invocations: new Map(),
};

describe('the cost of a million emails', () => {
  it.each([
    ['write units', { writeUnits: 6 }, 3.75],
    ['read units', { readUnits: 8 }, 1],
    ['storage and backup for three months', { storedBytes: 1_000 }, 1.35],
    ['requests to the API', { httpRequests: 2 }, 2],
    ['events of SNS', { snsEvents: 2 }, 1],
    ['requests to SQS', { sqsRequests: 3 }, 1.2],
    ['logs, taken in and kept for a month', { logBytes: 1_000 }, 0.53],
    ['transfer', { bytesOut: 10_000 }, 0.9],
  ])('has a line for %s', (_what, used, dollars) => {
    expect(dollarsOf({ ...nothing, ...used })).toBeCloseTo(dollars, 6);
    expect(linesOf({ ...nothing, ...used })).toHaveLength(1);
  });

  it('charges each invocation, and the memory of the function for its time', () => {
    const ran = (name: string) => dollarsOf({ ...nothing, invocations: new Map([[name, 1]]) });

    // 215 ms, and 4 ms of a whole vCPU, of which 256 MB have a seventh.
    expect(ran('deliver-webhooks')).toBeCloseTo(0.2 + 0.25 * 0.24264 * 13.3334, 3);
    expect(ran('send-email')).toBeGreaterThan(ran('deliver-webhooks'));
  });

  it('is not given for a function whose time nobody has assumed', () => {
    const used = { ...nothing, invocations: new Map([['send-notices', 1]]) };

    expect(() => linesOf(used)).toThrow('how long send-notices takes');
  });
});
