import { describe, expect, it } from 'vitest';
import { fakeFetch, manage, type Reply, twin } from '../../../support/manage-builder.ts';
import { unexpected } from '../../../support/unexpected.ts';

const done: Reply = { status: 204 };
const problem = (status: number, code: string, retryAfter: string): Reply => ({
  status,
  headers: { 'retry-after': retryAfter },
  body: { code, detail: 'An email to this address is being sent.' },
});
const unfinished = (retryAfter = '2') => problem(409, 'erasure_unfinished', retryAfter);

type Given = {
  readonly file?: string;
  /** Ctrl-C comes after this many requests. */
  readonly stopAfter?: number;
};

async function erase(line: string, replies: readonly Reply[], { file, stopAfter }: Given = {}) {
  const { fetch, asked } = fakeFetch(...replies);
  const interruption = Promise.withResolvers<void>();
  const slept: number[] = [];
  let now = 0;
  const printed = await manage(`contacts erase ${line} --yes`, {
    ...twin,
    fetch: async (...request) => {
      const response = await fetch(...request);
      if (asked.length === stopAfter) interruption.resolve();
      return response;
    },
    readFile: file === undefined ? unexpected('a file') : () => Buffer.from(file),
    now: () => now,
    sleep: async (ms) => {
      slept.push(ms);
      now += ms;
    },
    untilInterrupted: () => interruption.promise,
  });
  return {
    ...printed,
    slept,
    emails: asked.map(({ url }) => decodeURIComponent(url.split('/')[6] ?? '')),
  };
}

describe('manage contacts erase', () => {
  it('repeats the request when the service says so, until it is done', async () => {
    const replies = [unfinished('2'), unfinished('30'), done];

    const { exitCode, words, slept, emails } = await erase('ann@example.com', replies);

    expect(emails).toHaveLength(3);
    expect(slept).toEqual([2_000, 30_000]);
    expect(words).toContain('An email to this address is being sent. Waiting 30 s…');
    expect(words).toContain('ann@example.com was erased.');
    expect(exitCode).toBe(0);
  });

  it('gives up after a quarter of an hour', async () => {
    const replies = Array.from({ length: 10 }, () => unfinished('300'));

    const { exitCode, words, emails } = await erase('ann@example.com', replies);

    expect(emails).toHaveLength(4);
    expect(words).toContain('erasure_unfinished');
    expect(exitCode).toBe(5);
  });

  it('erases everybody in a file once, one by one', async () => {
    const file = 'ann@example.com\r\n\r\n  bob@example.com\nANN@example.com\n';

    const { exitCode, words, emails } = await erase('--file x', [done, done], { file });

    expect(emails).toEqual(['ann@example.com', 'bob@example.com']);
    expect(words).toContain('2 of 2 erased.');
    expect(exitCode).toBe(0);
  });

  it('erases nobody if a line is no address', async () => {
    const file = 'ann@example.com\nemail,name\n';

    const { exitCode, words, emails } = await erase('--file x', [], { file });

    expect(emails).toEqual([]);
    expect(words).toContain('x, line 2: not an address');
    expect(exitCode).toBe(2);
  });

  it('says where to continue when a request fails', async () => {
    const file = 'ann@example.com\nbob@example.com\ncleo@example.com\n';
    const full = problem(429, 'contact_limit_reached', '3600');

    const stopped = await erase('--file x.txt --sends', [done, full], { file });
    const continued = await erase('--file x.txt --from-line 2', [done, done], { file });

    expect(stopped.words).toContain(
      'To continue at line 2: npm run manage -- contacts erase --file x.txt --from-line 2 --sends',
    );
    expect(stopped.exitCode).toBe(6);
    expect(continued.emails).toEqual(['bob@example.com', 'cleo@example.com']);
    expect(continued.exitCode).toBe(0);
  });

  it('stops at Ctrl-C after the person it is at', async () => {
    const file = 'ann@example.com\nbob@example.com\n';

    const { exitCode, words, emails } = await erase('--file x', [done], { file, stopAfter: 1 });

    expect(emails).toEqual(['ann@example.com']);
    expect(words).toContain('Stopped. 1 were erased.');
    expect(words).toContain('--from-line 2');
    expect(exitCode).toBe(130);
  });

  it('names the same person again when Ctrl-C ends a wait', async () => {
    const file = 'ann@example.com\nbob@example.com\n';

    const { words } = await erase('--file x', [unfinished('60')], { file, stopAfter: 1 });

    expect(words).toContain('To continue at line 1:');
  });

  it('goes on after somebody whose email is still being sent, and lists them', async () => {
    const file = 'ann@example.com\nbob@example.com\n';
    const replies = [...Array.from({ length: 4 }, () => unfinished('300')), done];

    const { exitCode, output, words } = await erase('--file x', replies, { file });

    expect(output).toMatch(/^ +1 +ann@example\.com$/m);
    expect(words).toContain('1 of 2 erased.');
    expect(exitCode).toBe(7);
  });

  it.each([
    ['', 'Name an address, or a file with --file.'],
    ['ann@example.com --file x', 'Name an address, or a file with --file.'],
  ])('needs an address or a file: %s', async (line, reason) => {
    const { exitCode, words } = await erase(line, []);

    expect(words).toContain(reason);
    expect(exitCode).toBe(2);
  });

  it('refuses a file with more than 10,000 addresses, and a line after its end', async () => {
    const file = Array.from({ length: 10_001 }, (_, index) => `a${index}@example.com`).join('\n');

    const tooMany = await erase('--file x', [], { file });
    const beyond = await erase('--file x --from-line 9', [], { file: 'ann@example.com' });

    expect(tooMany.words).toContain('At most 10000 at once');
    expect(beyond.words).toContain('x has no address from line 9 on.');
    expect([tooMany.exitCode, beyond.exitCode]).toEqual([2, 2]);
  });
});

describe('manage contacts export', () => {
  it('prints all pages as one document', async () => {
    const { fetch, asked } = fakeFetch(
      { body: { data: [{ kind: 'contact' }], nextCursor: 'next' } },
      { body: { data: [{ kind: 'email' }], nextCursor: null } },
    );

    const { output } = await manage('contacts export ann@example.com', { ...twin, fetch });

    expect(asked.map(({ url }) => url.split('/').at(-1))).toEqual(['export', 'export?cursor=next']);
    expect(JSON.parse(output)).toEqual({
      email: 'ann@example.com',
      data: [{ kind: 'contact' }, { kind: 'email' }],
    });
  });
});
