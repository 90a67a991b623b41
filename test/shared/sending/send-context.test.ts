import { describe, expect, it } from 'vitest';
import { putApiKey } from '#shared/access/api-key-store';
import { newRequestContext } from '#shared/access/request-context';
import { putOrganization } from '#shared/organizations/organization-store';
import { parseSendRequest } from '#shared/sending/request/send-request';
import { readContextOfOne } from '#shared/sending/send-context';
import { newOrganizationId, organizationIdSchema } from '#shared/tokens/resource-id';
import { kindOf } from '../../schedules/call-names.ts';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { keyedOrganization, otherDigestKey, useDigestKey } from '../../support/digest-key.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { buildSendBody } from '../../support/send-body-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const now = 1_750_000_000_000;
const oldId = organizationIdSchema.parse('org_aaaaaaaaaaaaaaaa');

type Ask = { readonly credential?: string | undefined; readonly body?: unknown };

/** Reads what a send of the organization needs, and lists the kinds of items that each read asks for. */
async function openCaller(organization = buildOrganization()) {
  const reads: string[][] = [];
  const { table } = openMemoryTable({
    intercept: async (call, run) => {
      if (call.operation === 'BatchGetItem') {
        const tables = Object.values(call.input.RequestItems ?? {});
        const keys = tables.flatMap(({ Keys = [] }) => Keys);
        reads.push(keys.map(({ pk, sk }) => kindOf({ pk: `${pk?.S}`, sk: `${sk?.S}` })));
      }
      return run();
    },
  });
  const { text, apiKey } = buildApiKey({ organizationId: organization.id, lastUsedAt: now });
  await putOrganization(table, organization);
  await putApiKey(table, apiKey);
  return {
    apiKey,
    reads,
    read: ({ body = buildSendBody(), ...asked }: Ask = {}) => {
      const credential = 'credential' in asked ? asked.credential : text;
      const context = newRequestContext(recordLog().log);
      const email = parseSendRequest(body, undefined);
      return readContextOfOne(table, { credential, now, context }, email);
    },
  };
}

const refusalOf = async (organization: ReturnType<typeof buildOrganization>) => {
  const { read } = await openCaller(organization);
  return (await serviceErrorOf(() => read())).code;
};

describe('a caller without a valid key', () => {
  it.each([undefined, '', 'nonsense'])(
    'costs no read with the credential %j',
    async (credential) => {
      const { read, reads } = await openCaller();

      expect((await serviceErrorOf(() => read({ credential }))).code).toBe('invalid_api_key');
      expect(reads).toEqual([]);
    },
  );

  it('learns nothing of the faults of its request', async () => {
    const { read } = await openCaller();
    const stranger = { credential: buildApiKey().text, body: { to: 'nobody' } };

    const { code } = await serviceErrorOf(() => read(stranger));

    expect(code).toBe('invalid_api_key');
  });
});

describe('the context of a send', () => {
  it('is key, organization and all three recipients of a plain email, in one read', async () => {
    const { read, reads, apiKey } = await openCaller();

    const context = await read({
      body: buildSendBody({ cc: 'bob@example.com', bcc: ['cy@example.com'] }),
    });

    expect(context).toMatchObject({ apiKey });
    expect(reads).toEqual([['KEY', 'ORGANIZATION', 'CONTACT', 'CONTACT', 'CONTACT']]);
  });

  it.each([
    [
      'more than three recipients',
      buildSendBody({ cc: ['b@x.example', 'c@x.example', 'd@x.example'] }),
      ['CONTACT', 'CONTACT', 'CONTACT', 'CONTACT'],
    ],
    ['a template', { to: 'ann@example.com', template: 'receipt' }, ['CONTACT']],
  ])('with %s is only key and organization before the key is known', async (_what, body, rest) => {
    const [forged, known] = [await openCaller(), await openCaller()];

    const forgery = { credential: buildApiKey().text, body };
    const error = await serviceErrorOf(() => forged.read(forgery));
    await known.read({ body });

    expect(error.code).toBe('invalid_api_key');
    expect(forged.reads).toEqual([['KEY', 'ORGANIZATION']]);
    expect(known.reads).toEqual([['KEY', 'ORGANIZATION'], rest]);
  });
});

describe('a deployment with a key for contact digests', () => {
  it('sends for organizations whose contact ids are stored under that key, or from before', async () => {
    const organization = keyedOrganization();
    const [keyed, old] = [
      await openCaller(organization),
      await openCaller(buildOrganization({ id: oldId })),
    ];

    expect(await keyed.read()).toMatchObject({ organization });
    expect(await old.read()).toMatchObject({ organization: { id: oldId } });
  });

  it.each([undefined, otherDigestKey])(
    'refuses contact ids stored under another key: %s',
    async (key) => {
      const organization = keyedOrganization();
      useDigestKey(key);

      expect(await refusalOf(organization)).toBe('contact_digest_mismatch');
    },
  );

  it('refuses a contact whose id and stored digest disagree', async () => {
    const { contactDigest, ...unmarked } = keyedOrganization();
    const marked = buildOrganization({ id: oldId, ...(contactDigest && { contactDigest }) });

    expect(await refusalOf(unmarked)).toBe('contact_digest_mismatch');
    expect(await refusalOf(marked)).toBe('contact_digest_mismatch');
  });
});

it('an organization that is gone makes its key invalid', async () => {
  const { table } = openMemoryTable();
  const { text, apiKey } = buildApiKey({ organizationId: newOrganizationId() });
  await putApiKey(table, apiKey);
  const asking = { credential: text, now, context: newRequestContext(recordLog().log) };
  const email = parseSendRequest(buildSendBody(), undefined);

  const { code } = await serviceErrorOf(() => readContextOfOne(table, asking, email));

  expect(code).toBe('invalid_api_key');
});
