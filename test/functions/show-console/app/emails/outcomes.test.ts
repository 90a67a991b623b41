import { describe, expect, it } from 'vitest';
import { timesOf } from '../../../../../functions/show-console/app/emails/outcomes.ts';
import { buildListedSend } from './listed-send-builder.ts';

describe('the times in the list of emails', () => {
  const scheduled = { createdAt: 1, sendAt: 5 };
  const bounced = buildListedSend({ ...scheduled, status: 'sent', outcomeAt: 9 });

  it.each([
    [['bounced', 'soft_bounced'], 'Bounced'],
    [['soft_bounced'], 'Bounced'],
    [['complained'], 'Complained'],
    [['delayed'], 'Delayed'],
    [['bounced', 'complained'], 'Happened'],
  ] as const)('are those of rare outcomes: %o', (wanted, head) => {
    const times = timesOf(wanted);

    expect([times.head, times.at(bounced)]).toEqual([head, 9]);
  });

  it.each([[[]], [['delivered']], [['bounced', 'failed']]] as const)(
    'are otherwise when emails went out, or are to: %o',
    (wanted) => {
      const { head, at } = timesOf(wanted);

      expect([head, at(bounced)]).toEqual(['Time', 5]);
      expect(at(buildListedSend({ ...scheduled, status: 'scheduled' }))).toBe(5);
      expect(at(buildListedSend({ ...scheduled, status: 'canceled' }))).toBe(1);
      expect(at(buildListedSend({ createdAt: 1 }))).toBe(1);
    },
  );
});
