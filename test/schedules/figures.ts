import type { Taken } from './ledger.ts';
import type { ScheduleReport } from './schedule.ts';

/** The totals of many schedules. */
export type Figures = {
  add(report: ScheduleReport): void;
  /** In readable lines. */
  lines(): string[];
};

export function openFigures(): Figures {
  const sums = new Map<string, number>();
  const faults = new Map<string, number>();
  const late = new Map<string, number>();
  const count = (counts: Map<string, number>, name: string, more: number) =>
    counts.set(name, (counts.get(name) ?? 0) + more);
  return {
    add({ ledger, violations }) {
      count(sums, 'schedules', 1);
      count(sums, 'calls of the table', ledger.tableCalls);
      count(sums, 'calls of SES', ledger.sesCalls);
      count(sums, 'messages accepted', ledger.taken.length);
      count(sums, 'of these, of test emails', ledger.taken.filter(isOfTest).length);
      count(sums, 'events delivered', eventsIn(ledger.reports));
      count(sums, 'answers', ledger.answers.length);
      count(sums, 'takeovers', ledger.takeovers);
      for (const [kind, times] of ledger.faults) count(faults, kind, times);
      for (const rule of new Set(violations.map((violation) => violation.rule))) {
        count(late, rule, 1);
      }
      count(sums, 'schedules that violate a rule', violations.length > 0 ? 1 : 0);
    },
    lines: () => [
      ...[...sums].map(inWords),
      ...inWordsUnder('of these, by rule', late),
      ...inWordsUnder('faults', faults),
    ],
  };
}

const isOfTest = ({ testEvents }: Taken): boolean => testEvents !== undefined;

const eventsIn = (reports: ScheduleReport['ledger']['reports']): number =>
  reports.reduce((sum, { recordings }) => sum + recordings.length, 0);

const inWords = ([name, number]: readonly [string, number]): string =>
  `${name.padEnd(42)} ${number.toLocaleString('en-GB').padStart(12)}`;

const inWordsUnder = (title: string, counts: ReadonlyMap<string, number>): string[] =>
  counts.size === 0
    ? []
    : [title, ...[...counts].sort().map(([name, number]) => inWords([`  ${name}`, number]))];
