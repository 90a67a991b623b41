import { describe, expect, it } from 'vitest';
import { checkSender } from '#shared/sending/sender';
import { buildEmailAddress } from '../../support/email-address-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';

const organization = buildOrganization();

function senderOf(from: string | undefined, allowedFrom?: string[], name?: string) {
  const mailbox = from === undefined ? undefined : { name, address: buildEmailAddress(from) };
  const apiKey = allowedFrom === undefined ? {} : { allowedFrom };
  const verdict = checkSender(organization, mailbox, apiKey, { usesTenants: false });
  return verdict.ok ? verdict.sender : verdict.error;
}

describe('the sender of an email', () => {
  it('is the identity, or any address of an active domain', () => {
    expect(senderOf(undefined)).toEqual({ fromEmail: 'hello@mail.example.com' });
    expect(senderOf('Billing@MAIL.example.com', undefined, 'Billing')).toEqual({
      fromEmail: 'Billing@mail.example.com',
      fromName: 'Billing',
    });
  });

  it.each(['ann@example.com', 'ann@sub.mail.example.com', 'ann@xmail.example.com'])(
    "can't be %s, on a domain that the organization hasn't verified",
    (from) => {
      expect(senderOf(from)).toMatchObject({
        code: 'no_active_identity',
        message: expect.stringContaining(from.split('@')[1] ?? ''),
        errors: [{ path: 'from' }],
      });
    },
  );

  it.each([
    ['hello@mail.example.com', ['hello@mail.example.com']],
    ['Hello@mail.example.com', ['hello@mail.example.com']],
    ['any@mail.example.com', ['x@other.example', '*@mail.example.com']],
    [undefined, ['hello@mail.example.com']],
  ])('%s is allowed to a key for %j', (from, allowed) => {
    expect(senderOf(from, allowed)).toHaveProperty('fromEmail');
  });

  it.each([
    ['hello@mail.example.com', ['billing@mail.example.com']],
    ['hello@mail.example.com', ['*@example.com']],
    ['xhello@mail.example.com', ['hello@mail.example.com']],
    [undefined, ['billing@mail.example.com']],
  ])('%s is refused to a key for %j', (from, allowed) => {
    expect(senderOf(from, allowed)).toMatchObject({
      code: 'from_not_allowed',
      errors: [{ path: 'from', message: `must be one of ${allowed.join(', ')}` }],
    });
  });
});

describe("a test email's sender", () => {
  const check = (from: string | undefined, overrides: Parameters<typeof buildOrganization>[0]) =>
    checkSender(
      buildOrganization(overrides),
      from === undefined ? undefined : { name: undefined, address: buildEmailAddress(from) },
      { test: true },
      { usesTenants: true },
    );

  it.each([
    [undefined, {}, 'hello@mail.example.com'],
    [undefined, { identity: undefined }, 'test@example.com'],
    ['ann@not-verified.example', { identity: undefined }, 'ann@not-verified.example'],
  ])('needs no domain: %j', (from, overrides, fromEmail) => {
    expect(check(from, overrides)).toMatchObject({ ok: true, sender: { fromEmail } });
  });

  it('is refused while the operator has paused the organization', () => {
    expect(check(undefined, { paused: true })).toMatchObject({
      ok: false,
      error: { code: 'tenant_paused' },
    });
  });
});
