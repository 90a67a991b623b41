import {
  DeleteSuppressedDestinationCommand,
  GetSuppressedDestinationCommand,
  NotFoundException,
  SESv2Client,
  TooManyRequestsException,
} from '@aws-sdk/client-sesv2';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, describe, expect, it } from 'vitest';
import { putOrganization } from '#shared/organizations/organization-store';
import { providerListReader, providerListRemoval } from '#shared/suppressions/ses-suppression-list';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const client = new SESv2Client({ region: 'eu-west-1' });
const aws = mockClient(client);
afterEach(() => aws.reset());

const organizationId = newOrganizationId();
const spellings = ['ann@example.com', 'Ann@example.com'];
const fault = (httpStatusCode: number) => ({ message: 'no', $metadata: { httpStatusCode } });
const missing = new NotFoundException(fault(404));

const removals = () =>
  aws
    .commandCalls(DeleteSuppressedDestinationCommand)
    .map(({ args: [{ input }] }) => [input.EmailAddress, input.TenantName]);
const questions = () =>
  aws
    .commandCalls(GetSuppressedDestinationCommand)
    .map(({ args: [{ input }] }) => [input.EmailAddress, input.TenantName]);

const onAccount = spellings.map((spelling) => [spelling, undefined]);
const onTenant = spellings.map((spelling) => [spelling, organizationId]);

const tenant = { sending: 'enabled' } as const;

/** The organization, a tenant or none. */
async function tableOf(isTenant: boolean) {
  const { table } = openMemoryTable();
  const organization = buildOrganization({ id: organizationId, ...(isTenant && { tenant }) });
  await putOrganization(table, organization);
  return table;
}

const read = async (usesTenants: boolean, isTenant: boolean) =>
  providerListReader(usesTenants, client)(await tableOf(isTenant), organizationId, spellings);
const removal = (usesTenants: boolean) => providerListRemoval(usesTenants, client);
const remove = async (usesTenants: boolean, isTenant: boolean) =>
  removal(usesTenants).remove(await tableOf(isTenant), organizationId, spellings);

const listed = {
  SuppressedDestination: {
    EmailAddress: 'Ann@example.com',
    Reason: 'COMPLAINT',
    LastUpdateTime: new Date(1_000),
  },
} as const;

describe.each([
  { whose: "a tenant's own", usesTenants: true, isTenant: true, list: onTenant },
  {
    whose: "the account's, for an organization that is no tenant yet,",
    usesTenants: true,
    isTenant: false,
    list: onAccount,
  },
  {
    whose: "the account's, where nobody is a tenant,",
    usesTenants: false,
    isTenant: true,
    list: onAccount,
  },
])('an address on $whose list', ({ usesTenants, isTenant, list }) => {
  it('is found there, and nowhere else', async () => {
    aws.on(GetSuppressedDestinationCommand).rejectsOnce(missing).resolves(listed);

    const found = await read(usesTenants, isTenant);

    expect(found).toEqual({ reason: 'complaint', at: 1_000 });
    expect(questions()).toEqual(list);
  });

  it('is removed from there, and from nowhere else, in every spelling', async () => {
    aws.on(DeleteSuppressedDestinationCommand).rejectsOnce(missing).resolves({});

    const wasListed = await remove(usesTenants, isTenant);

    expect(wasListed).toBe(true);
    expect(removals()).toEqual(list);
  });

  it('may be missing there, and then no other list is asked', async () => {
    aws.on(DeleteSuppressedDestinationCommand).rejects(missing);
    aws.on(GetSuppressedDestinationCommand).rejects(missing);

    expect(await remove(usesTenants, isTenant)).toBe(false);
    expect(await read(usesTenants, isTenant)).toBeUndefined();
    expect([removals(), questions()]).toEqual([list, list]);
  });
});

describe('an erased address', () => {
  it("leaves the tenant's list, and the account's from before there were tenants", async () => {
    aws
      .on(DeleteSuppressedDestinationCommand)
      .resolves({})
      .on(DeleteSuppressedDestinationCommand, { TenantName: organizationId })
      .rejects(missing);

    await removal(true).forget(organizationId, spellings);

    expect(removals()).toEqual([...onTenant, ...onAccount]);
  });

  it("leaves the account's list where organizations are no tenants", async () => {
    aws.on(DeleteSuppressedDestinationCommand).resolves({});

    await removal(false).forget(organizationId, spellings);

    expect(removals()).toEqual(onAccount);
  });
});

describe('an address', () => {
  it('stays when SES limits such calls, which is said', async () => {
    aws.on(DeleteSuppressedDestinationCommand).rejects(new TooManyRequestsException(fault(429)));

    const error = await serviceErrorOf(() => remove(true, true));

    expect(error).toMatchObject({ code: 'provider_throttled', retryAfterSeconds: 2 });
  });
});
