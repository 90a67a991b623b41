import {
  DeleteSuppressedDestinationCommand,
  GetSuppressedDestinationCommand,
  NotFoundException,
  SESv2Client,
  TooManyRequestsException,
} from '@aws-sdk/client-sesv2';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, describe, expect, it } from 'vitest';
import { openProviderSuppressionList } from '#shared/suppressions/ses-suppression-list';
import { newOrganizationId } from '#shared/tokens/resource-id';
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

describe('an address', () => {
  it('leaves the list of the account where organizations are no tenants', async () => {
    aws.on(DeleteSuppressedDestinationCommand).rejectsOnce(missing).resolves({});

    const wasListed = await openProviderSuppressionList(false, client).remove(
      spellings,
      organizationId,
    );

    expect(wasListed).toBe(true);
    expect(removals()).toEqual(onAccount);
  });

  it("leaves the tenant's own list, and the account's stays as it is", async () => {
    aws.on(DeleteSuppressedDestinationCommand).resolves({});

    await openProviderSuppressionList(true, client).remove(spellings, organizationId);

    expect(removals()).toEqual(onTenant);
  });

  it("leaves the account's list when it was put there before the organization was a tenant", async () => {
    aws
      .on(DeleteSuppressedDestinationCommand)
      .resolves({})
      .on(DeleteSuppressedDestinationCommand, { TenantName: organizationId })
      .rejects(missing);

    const list = openProviderSuppressionList(true, client);

    expect(await list.remove(spellings, organizationId)).toBe(true);
    expect(removals()).toEqual([...onTenant, ...onAccount]);
  });

  it('may be on no list, and leaves none', async () => {
    aws.on(DeleteSuppressedDestinationCommand).rejects(missing);
    aws.on(GetSuppressedDestinationCommand).rejects(missing);
    const list = openProviderSuppressionList(true, client);

    expect(await list.remove(spellings, organizationId)).toBe(false);
    expect(await list.get(spellings, organizationId)).toBeUndefined();
  });

  it.each([
    ['of a tenant is looked up on its own list', true, organizationId, onTenant],
    [
      'of an organization that is no tenant yet, on that of the account',
      true,
      undefined,
      onAccount,
    ],
    ['on that of the account where nobody is a tenant', false, organizationId, onAccount],
  ])('%s', async (_what, usesTenants, tenant, asked) => {
    aws
      .on(GetSuppressedDestinationCommand)
      .rejectsOnce(missing)
      .resolves({
        SuppressedDestination: {
          EmailAddress: 'Ann@example.com',
          Reason: 'COMPLAINT',
          LastUpdateTime: new Date(1_000),
        },
      });

    const listed = await openProviderSuppressionList(usesTenants, client).get(spellings, tenant);

    expect(listed).toEqual({ reason: 'complaint', at: 1_000 });
    expect(questions()).toEqual(asked);
  });

  it('stays when SES limits such calls, which is said', async () => {
    aws.on(DeleteSuppressedDestinationCommand).rejects(new TooManyRequestsException(fault(429)));

    const error = await serviceErrorOf(() =>
      openProviderSuppressionList(true, client).remove(spellings, organizationId),
    );

    expect(error).toMatchObject({ code: 'provider_throttled', retryAfterSeconds: 2 });
  });
});
