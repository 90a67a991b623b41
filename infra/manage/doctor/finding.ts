import type { Drawing } from '../drawing/layout.ts';
import { Failure } from '../failure.ts';
import { oneLine, type Paint } from '../terminal.ts';

export type Finding = {
  readonly check: string;
  /** `unknown`: the check couldn't run. */
  readonly state: 'ok' | 'problem' | 'unknown';
  readonly says: string;
  readonly todo?: string;
};

export const ok = (check: string, says: string): Finding => ({ check, state: 'ok', says });

export const problem = (check: string, says: string, todo: string): Finding => ({
  check,
  state: 'problem',
  says,
  todo,
});

export const unknown = (check: string, says: string, todo?: string): Finding => ({
  check,
  state: 'unknown',
  says,
  ...(todo !== undefined && { todo }),
});

export const counted = (count: number, thing: string): string =>
  `${count} ${thing}${count === 1 ? '' : 's'}`;

/** A check that can't run becomes a finding; the others go on. */
export async function look(
  check: string,
  find: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const says = error.todo === undefined ? error.lines().join(' ') : error.message;
    return [unknown(check, says, error.todo)];
  }
}

const marks = { ok: ['green', '✓'], problem: ['red', '✗'], unknown: ['yellow', '?'] } as const;

export const drawFindings = (findings: readonly Finding[], paint: Paint): Drawing =>
  findings.flatMap(({ check, state, says, todo }) => {
    const [colour, mark] = marks[state];
    const line = `${paint(colour, mark)} ${check}: ${oneLine(says)}`;
    return todo === undefined ? [line] : [line, `    → ${oneLine(todo)}`];
  });
