import { describe, expect, it } from 'vitest';
import { fakeFetch, manage, type Reply, twin } from '../../../support/manage-builder.ts';

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => `a${index}@example.com,bounce\n`).join('');

async function importing(count: number, options: string, ...replies: readonly Reply[]) {
  const { fetch, asked } = fakeFetch(...replies);
  const printed = await manage(`suppressions import - ${options}`, {
    fetch,
    ...twin,
    readInput: async () => `email,reason\n${rowsOf(count)}`,
  });
  const rows = asked.map(({ body }) => `${body}`.trimEnd().split('\n').length - 1);
  return { ...printed, rows };
}

const done = (imported: number, rest: object = {}): Reply => ({
  body: { imported, unchanged: 0, refused: [], isComplete: true, ...rest },
});

describe('manage suppressions import', () => {
  it('splits a file that is too large for one request, and adds up the results', async () => {
    const refused = [{ line: 2, message: 'the address is no address' }];

    const { output, words, exitCode, rows } = await importing(
      7_000,
      '--json',
      done(3_000),
      done(2_000, { unchanged: 1_000 }),
      done(999, { refused }),
    );

    expect(rows).toEqual([3_000, 3_000, 1_000]);
    expect(JSON.parse(output)).toEqual({
      imported: 5_999,
      unchanged: 1_000,
      refused: [{ line: 6_002, message: 'the address is no address' }],
    });
    expect(words).toContain('Part 2 of 3: 5000 imported so far.');
    expect(exitCode).toBe(7);
  });

  it('retries a part that ran out of time, and counts its rows once', async () => {
    const { words, rows } = await importing(
      3_001,
      '',
      done(2_000, { isComplete: false }),
      done(1_000, { unchanged: 2_000 }),
      done(1),
    );

    expect(rows).toEqual([3_000, 3_000, 1]);
    expect(words).toContain('3001 imported, 0 already there, 0 refused.');
  });

  it('reports progress over all parts', async () => {
    const { words } = await importing(
      3_001,
      '',
      done(3_000),
      done(1, { isComplete: false }),
      done(0, { unchanged: 1 }),
    );

    expect(words.match(/\d+ imported so far/g)).toEqual([
      '3000 imported so far',
      '3001 imported so far',
    ]);
  });

  it('says which part failed and how to continue', async () => {
    const body = { code: 'import_in_progress', detail: 'Another import is in progress.' };

    const { exitCode, words } = await importing(3_001, '', done(3_000), { status: 409, body });

    expect(exitCode).toBe(5);
    expect(words).toContain('Part 2 of 2 failed from line 3002 on.');
    expect(words).toContain('import the file again');
    expect(words).toContain('Another import is in progress.');
  });

  it("doesn't mention parts if there's only one", async () => {
    const { words } = await importing(3_000, '', done(3_000));

    expect(words).toBe('3000 imported, 0 already there, 0 refused.\n');
  });
});

describe('help', () => {
  it.each(['suppressions export', 'usage cost', 'identity zone-file'])(
    'for %s uses npm -s, so the file has no npm output',
    async (command) => {
      const { output } = await manage(`${command} --help`);

      expect(output).toContain(`  npm run -s manage -- ${command}`);
      expect(output).not.toMatch(/npm run manage -- .* > /);
    },
  );
});
