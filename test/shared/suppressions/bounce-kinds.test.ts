import { describe, expect, it } from 'vitest';
import {
  bounceReasonOf,
  isComplaintOfProvider,
  isHardBounce,
  isPossibleComplaint,
  isSuppressingBounce,
  providerReasonOf,
} from '#shared/suppressions/bounce-kinds';

// Every type and subtype of the Amazon SES developer guide, "Bounce types".
describe('a bounce', () => {
  it.each([
    ['Permanent', 'General', true, 'Permanent/General'],
    ['Permanent', 'NoEmail', true, 'Permanent/NoEmail'],
    ['Permanent', 'Suppressed', false, 'provider_suppressed'],
    ['Permanent', 'OnAccountSuppressionList', false, 'provider_suppressed'],
    ['Permanent', 'OnTenantSuppressionList', false, 'provider_suppressed'],
    ['Permanent', 'UnsubscribedRecipient', false, 'provider_suppressed'],
    ['Permanent', 'EmailValidationSuppressed', false, 'address_guess'],
    ['Transient', 'General', false, 'Transient/General'],
    ['Transient', 'MailboxFull', false, 'Transient/MailboxFull'],
    ['Transient', 'MessageTooLarge', false, 'Transient/MessageTooLarge'],
    ['Transient', 'ContentRejected', false, 'Transient/ContentRejected'],
    ['Transient', 'AttachmentRejected', false, 'Transient/AttachmentRejected'],
    ['Transient', 'CustomTimeoutExceeded', false, 'Transient/CustomTimeoutExceeded'],
    ['Undetermined', 'Undetermined', false, 'Undetermined/Undetermined'],
    ['Permanent', 'AddedTomorrow', false, 'Permanent/AddedTomorrow'],
  ])(
    '%s/%s suppresses: %s, and is reported as %s',
    (bounceType, bounceSubType, suppresses, reason) => {
      const bounce = { bounceType, bounceSubType };

      expect(isSuppressingBounce(bounce)).toBe(suppresses);
      expect(bounceReasonOf(bounce)).toBe(reason);
    },
  );

  it.each([
    ['provider_suppressed', 'provider_suppressed'],
    ['address_guess', 'address_guess'],
    ['Permanent/General', undefined],
    ['abuse', undefined],
  ])('whose stored reason is %s was a decision of SES: %s', (reason, decision) => {
    expect(providerReasonOf(reason)).toBe(decision);
  });

  it.each([
    ['Permanent/General', true],
    ['provider_suppressed', true],
    ['address_guess', true],
    ['Transient/General', false],
    ['Undetermined/Undetermined', false],
    [undefined, false],
  ])('whose stored reason is %s is a hard one: %s', (reason, isHard) => {
    expect(isHardBounce(reason)).toBe(isHard);
  });
});

describe('a complaint', () => {
  it.each([
    ['OnAccountSuppressionList', true],
    ['OnTenantSuppressionList', true],
    [null, false],
    [undefined, false],
  ])('of subtype %s was made up by SES: %s', (subtype, isMadeUp) => {
    expect(isComplaintOfProvider(subtype)).toBe(isMadeUp);
  });

  it('is certain when SES names one recipient, however often, and possible when it names several', () => {
    expect(isPossibleComplaint(['ann@example.com', 'ann@example.com'])).toBe(false);
    expect(isPossibleComplaint(['ann@example.com', 'bob@example.com'])).toBe(true);
  });
});
