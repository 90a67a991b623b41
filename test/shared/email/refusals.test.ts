import { describe, expect, it } from 'vitest';
import { createRefusals, type Refused } from '#shared/email/refusals';
import { newOrganizationId } from '#shared/tokens/resource-id';

const buildRefused = (refused: Partial<Refused> = {}): Refused => ({
  organizationId: newOrganizationId(),
  reason: 'MessageRejected',
  isOfTenant: false,
  ...refused,
});

describe('a refusal of SES', () => {
  it.each([
    'MessageRejected',
    'MailFromDomainNotVerifiedException',
    'BadRequestException',
    'Reject',
  ])('as %s is the sender’s fault, however often it comes', (reason) => {
    const { isSendersFault } = createRefusals();
    const refused = buildRefused({ reason });

    const faults = Array.from({ length: 50 }, () => isSendersFault(refused));

    expect(new Set(faults)).toEqual(new Set([true]));
  });

  it.each([
    ['the account is suspended', 'AccountSuspendedException'],
    ['the account is paused', 'SendingPausedException'],
    ['the configuration set is gone', 'NotFoundException'],
    ['the role may not send', 'AccessDeniedException'],
    ['the credentials have expired', 'ExpiredTokenException'],
    ['SES has a new word', 'UnheardOfException'],
  ])('is ours when %s', (_why, reason) => {
    expect(createRefusals().isSendersFault(buildRefused({ reason }))).toBe(false);
  });

  it('of a paused tenant is the tenant’s fault', () => {
    const refused = buildRefused({ reason: 'SendingPausedException', isOfTenant: true });

    expect(createRefusals().isSendersFault(refused)).toBe(true);
  });

  it('is ours from the third organization in a row on, whatever SES calls it', () => {
    const { isSendersFault } = createRefusals();

    const faults = ['BadRequestException', 'MessageRejected', 'BadRequestException', 'Reject'].map(
      (reason) => isSendersFault(buildRefused({ reason })),
    );

    expect(faults).toEqual([true, true, false, false]);
  });

  it('is the sender’s fault again once SES has taken an email of anybody', () => {
    const { isSendersFault, noteAccepted } = createRefusals();
    for (let organizations = 0; organizations < 5; organizations += 1) {
      isSendersFault(buildRefused());
    }

    noteAccepted();

    expect(isSendersFault(buildRefused())).toBe(true);
  });
});
