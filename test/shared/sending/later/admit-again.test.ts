import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import type { ApiKey } from '#shared/access/api-key';
import { countDayOfTests, countSpanOfOrganization } from '#shared/access/rate-window-store';
import { ServiceError } from '#shared/errors/service-error';
import { admitAgain } from '#shared/sending/later/admit-again';
import { parseSendRequest } from '#shared/sending/request/send-request';
import { contactKey } from '#shared/table/keys';
import { contactIdOf, newApiKeyId } from '#shared/tokens/resource-id';
import { buildErasedContact } from '../../../support/contact-builder.ts';
import { buildSendBody } from '../../../support/send-body-builder.ts';
import { openSendWorld, startOfWorld } from '../../../support/send-world.ts';

type World = Awaited<ReturnType<typeof openSendWorld>>;
type Accepted = Parameters<typeof admitAgain>[2];

const today = 'hello@mail.example.com';
const acceptedAt = startOfWorld - 1_000;

/** Admits an email again that was accepted a second ago, from the service itself unless told otherwise. */
function again(
  { organization, sending, now }: World,
  fields: Readonly<Record<string, unknown>> = {},
  overrides: Partial<Accepted> = {},
) {
  const parsed = parseSendRequest(buildSendBody(fields), undefined);
  if (!parsed.ok) throw parsed.error;
  const accepted = { acceptedAt, apiKeyId: undefined, fromEmail: today, isTest: false, now };
  return admitAgain(organization.id, parsed.value, { ...accepted, ...overrides }, sending);
}

describe('an email accepted earlier', () => {
  /** The organization now sends from `today`. */
  async function admissionOf(changes: Partial<ApiKey> | undefined, fromEmail: string) {
    const world = await openSendWorld();
    if (changes) await world.changeKey(changes);
    const apiKeyId = changes ? world.apiKeyId : newApiKeyId(world.organization.id);
    try {
      const admitted = await again(world, {}, { apiKeyId, fromEmail });
      return admitted.ok ? 'admitted' : admitted.reason;
    } catch (error) {
      return error instanceof ServiceError ? error.code : 'error';
    }
  }

  it.each<[string, Partial<ApiKey> | undefined, string, string]>([
    [
      'is refused if its key was revoked as leaked',
      { revokedAt: 1, leaked: true },
      today,
      'ApiKeyLeaked',
    ],
    ['goes out though its key was revoked', { revokedAt: 1 }, today, 'admitted'],
    [
      'goes out from another address that its key may use',
      { allowedFrom: [today] },
      'old@x.example',
      'admitted',
    ],
    ['goes out from another address if its key may use all', {}, 'old@x.example', 'admitted'],
    [
      'is refused from another address that its key may not use',
      { allowedFrom: ['old@x.example'] },
      'old@x.example',
      'from_not_allowed',
    ],
    [
      'is refused from another address if its key is gone',
      undefined,
      'old@x.example',
      'from_not_allowed',
    ],
    [
      'goes out from the address it was accepted with, though its key was narrowed',
      { allowedFrom: ['new@x.example'] },
      today,
      'admitted',
    ],
  ])('%s', async (_what, changes, fromEmail, outcome) => {
    expect(await admissionOf(changes, fromEmail)).toBe(outcome);
  });

  it.each([
    ['counts towards the day of tests, if a test key sent it', true, [1, 0]],
    ['counts towards nothing of the organization, if it is real', false, [0, 0]],
  ])('that no longer reaches anyone %s', async (_what, isTest, counts) => {
    const world = await openSendWorld({
      organization: { limits: { sendsPerSecond: 1 } },
      contacts: [{ bounce: { at: 1 } }],
    });
    const { organization, sending, now } = world;

    expect(await again(world, {}, { isTest })).toMatchObject({
      email: { recipients: { isToSuppressed: true } },
    });

    expect([
      await countDayOfTests(sending.table, organization.id, now, 1),
      await countSpanOfOrganization(sending.table, organization.id, now, 1),
    ]).toEqual(counts);
  });
});

describe('an email accepted before a recipient was erased', () => {
  const people = {
    to: ['ann@example.com', 'bob@example.com'],
    cc: 'cy@example.com',
    bcc: 'di@example.com',
  };

  async function admitWith(erased: string, erasedAt: number) {
    const world = await openSendWorld({ contacts: [] });
    const { table } = world.sending;
    const id = contactIdOf(world.organization.id, erased);
    const Item = { ...contactKey(id), ...buildErasedContact({ id, erasedAt }) };
    await table.client.send(new PutCommand({ TableName: table.name, Item }));
    return again(world, people);
  }

  it.each(['bob@example.com', 'cy@example.com', 'di@example.com'])(
    'goes out without %s',
    async (erased) => {
      const admitted = await admitWith(erased, acceptedAt);

      expect(JSON.stringify(admitted)).not.toContain(erased);
      expect(admitted).toMatchObject({ email: { recipients: { isToSuppressed: false } } });
    },
  );

  it('is refused if that is the first `to`', async () => {
    expect(await admitWith('ann@example.com', acceptedAt)).toEqual({
      ok: false,
      reason: 'RecipientErased',
    });
  });

  it('goes to a recipient that was erased before', async () => {
    expect(await admitWith('cy@example.com', acceptedAt - 1)).toMatchObject({
      email: { recipients: { cc: [{ identity: 'cy@example.com' }] } },
    });
  });
});
