import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bounceTitle } from '../../../../../functions/show-console/app/suppressions/bounces.ts';

// Types of the Amazon SES developer guide, "Bounce types", and our own names of SES's decisions.
it.each([
  ['Permanent/General', 'Hard bounce', 'bad'],
  ['provider_suppressed', 'Dropped by Amazon SES', 'warn'],
  ['address_guess', 'Dropped by Amazon SES', 'warn'],
  ['Transient/MailboxFull', 'Soft bounce', 'warn'],
  ['Undetermined/Undetermined', 'Bounced', 'warn'],
])('a bounce of the kind %s is named %s', (reason, title, tone) => {
  expect(bounceTitle({ reason })).toEqual({ title, tone });
});

it('a bounce of a kind that SES adds later is named by its type', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Z][A-Za-z]{25}$/), (subtype) => {
      expect(bounceTitle({ reason: `Permanent/${subtype}` }).title).toBe('Hard bounce');
      expect(bounceTitle({ reason: `Transient/${subtype}` }).title).toBe('Soft bounce');
    }),
  );
});
