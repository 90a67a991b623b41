import { describe, expect, it } from 'vitest';
import { momentInWords, readScheduledAt } from '#shared/resend/scheduled-at';

/** A Monday. */
const now = Date.parse('2026-11-23T10:00:00Z');
const at = (text: string) => {
  const moment = momentInWords(text, now);
  return moment === undefined ? undefined : new Date(moment).toISOString();
};

describe('a moment in words', () => {
  it.each([
    ['in 1 min', '2026-11-23T10:01:00.000Z'],
    ['in 5 minutes', '2026-11-23T10:05:00.000Z'],
    ['in an hour', '2026-11-23T11:00:00.000Z'],
    ['In 2 Hours', '2026-11-23T12:00:00.000Z'],
    ['in 3 days', '2026-11-26T10:00:00.000Z'],
    ['in 1 week', '2026-11-30T10:00:00.000Z'],
    ['tomorrow at 9am', '2026-11-24T09:00:00.000Z'],
    ['today at 14:30', '2026-11-23T14:30:00.000Z'],
    ['at 12pm', '2026-11-23T12:00:00.000Z'],
    ['tomorrow 12am', '2026-11-24T00:00:00.000Z'],
    ['Friday at 3pm ET', '2026-11-27T20:00:00.000Z'],
    ['next friday at 3:15pm', '2026-11-27T15:15:00.000Z'],
    ['Monday at 9am', '2026-11-30T09:00:00.000Z'],
    ['Monday at 11am', '2026-11-23T11:00:00.000Z'],
    ['on monday at 11am', '2026-11-23T11:00:00.000Z'],
    ['next monday at 9am', '2026-11-30T09:00:00.000Z'],
    ['next monday at 11am', '2026-11-30T11:00:00.000Z'],
    ['tomorrow at 9am PST', '2026-11-24T17:00:00.000Z'],
  ])('reads %s', (text, moment) => {
    expect(at(text)).toBe(moment);
  });

  it('follows the summer time of a zone', () => {
    const friday = momentInWords('Friday at 3pm ET', Date.parse('2026-07-06T10:00:00Z'));

    expect(friday).toBe(Date.parse('2026-07-10T19:00:00Z'));
  });

  it.each([
    '',
    'soon',
    'in 1 fortnight',
    'tomorrow',
    'at 13pm',
    'friday at 9',
    'at 25:00',
    '2026-11-24T09:00:00Z',
    'someday at 3pm',
    'at 9am XX',
  ])('leaves %j to others', (text) => {
    expect(momentInWords(text, now)).toBeUndefined();
  });

  it('is refused with words that would be taken', () => {
    expect(() => readScheduledAt('next week', now)).toThrow(
      expect.objectContaining({
        errors: [{ path: 'scheduled_at', message: expect.stringContaining('`in 1 min`') }],
      }),
    );
  });
});
