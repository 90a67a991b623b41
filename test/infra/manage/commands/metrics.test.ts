import { expect, it } from 'vitest';
import { endpoint } from '../../../../functions/get-metrics/get-metrics.ts';
import { fakeFetch, manage, twin } from '../../../support/manage-builder.ts';

const { example } = endpoint.answers[200];

const show = async (line: string, body: object) => {
  const { fetch } = fakeFetch({ body });
  return manage(line, {
    ...twin,
    fetch,
    isTerminal: true,
    columns: 80,
    environment: { NO_COLOR: '1' },
  });
};

it('metrics show totals, then what they consist of', async () => {
  const { output } = await show('metrics --by tag', example);

  expect(output).toMatch(
    /^From +2026-11-21 00:00:00Z\nUntil +2026-11-22 00:00:00Z\nTime zone +UTC$/m,
  );
  expect(output).toMatch(/^Bounced +14 \(0\.7%\)$/m);
  expect(output).toMatch(/^Time to delivered +half within 1\.1 s, 95% within 6\.2 s$/m);
  expect(output).toMatch(/^2026-11-21 +2000 +1980 +14 +1 /m);
  expect(output).toMatch(/^kind:reset +2000 +1980 +14 +1 /m);
  expect(output).toMatch(/^no such mailbox +10$/m);
  expect(output).toMatch(/^gmail\.com +1284 +64\.2% +99\.6% +1\.1 s +6\.2 s$/m);
});

it('metrics compare with the period before', async () => {
  const body = { ...example, previous: { ...example.totals, bounced: 7, bounce_rate: 0.35 } };

  const { output } = await show('metrics --previous', body);

  expect(output).toMatch(/^Bounced +14 \(0\.7%\); before: 7 \(0\.35%\)$/m);
});

it.each([
  ['metrics --by tags', 'Did you mean tag?'],
  ['metrics --interval minute', 'Choose from: hour, day, week, month'],
])('%s is refused', async (line, reason) => {
  const { exitCode, words } = await manage(line, twin);

  expect(words).toContain(reason);
  expect(exitCode).toBe(2);
});
