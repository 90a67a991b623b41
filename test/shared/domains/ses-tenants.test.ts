import {
  AlreadyExistsException,
  CreateTenantCommand,
  CreateTenantResourceAssociationCommand,
  DeleteTenantCommand,
  DeleteTenantResourceAssociationCommand,
  GetReputationEntityCommand,
  GetTenantCommand,
  NotFoundException,
  PutTenantSuppressionAttributesCommand,
  SESv2Client,
  type TenantSuppressionAttributes,
} from '@aws-sdk/client-sesv2';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, describe, expect, it } from 'vitest';
import { sesTenantsOf } from '#shared/domains/ses-tenants';
import { newOrganizationId } from '#shared/tokens/resource-id';

const client = new SESv2Client({ region: 'eu-west-1' });
const aws = mockClient(client);
afterEach(() => aws.reset());

const tenants = sesTenantsOf(client, 'email-service', 'bounces');
const organizationId = newOrganizationId();
const prefix = 'arn:aws-us-gov:ses:us-gov-west-1:123456789012';
const TenantArn = `${prefix}:tenant/${organizationId}/tn-1`;
const fault = (httpStatusCode: number) => ({
  message: 'AWS’s words',
  $metadata: { httpStatusCode },
});

const associated = () =>
  aws
    .commandCalls(CreateTenantResourceAssociationCommand)
    .map(({ args: [{ input }] }) => input.ResourceArn);

const ownList: TenantSuppressionAttributes = {
  SuppressionScope: 'TENANT',
  SuppressedReasons: ['BOUNCE'],
};

describe('ensure', () => {
  const existing: readonly (readonly [string, TenantSuppressionAttributes, boolean])[] = [
    ['uses the list of the account', { SuppressionScope: 'ACCOUNT' }, true],
    ['says nothing of lists', {}, true],
    ['has other reasons', { ...ownList, SuppressedReasons: ['COMPLAINT'] }, true],
    ['has a list of its own', ownList, false],
  ];
  it.each(existing)(
    'gives a tenant that %s its own, if it has none yet',
    async (_what, SuppressionAttributes, isSet) => {
      const TenantName = organizationId;
      aws.on(GetTenantCommand).resolves({
        Tenant: { TenantName, TenantArn, SuppressionAttributes },
      });
      aws.on(CreateTenantResourceAssociationCommand).resolves({});
      aws.on(PutTenantSuppressionAttributesCommand).resolves({});

      await tenants.ensure(organizationId, []);

      const calls = aws.commandCalls(PutTenantSuppressionAttributesCommand);
      expect(calls.map(({ args: [{ input }] }) => input)).toEqual(
        isSet ? [{ TenantName, ...ownList }] : [],
      );
    },
  );

  it('creates the tenant, with the configuration set and every domain', async () => {
    aws.on(GetTenantCommand).rejects(new NotFoundException(fault(404)));
    aws.on(CreateTenantCommand).resolves({ TenantArn, SendingStatus: 'ENABLED' });
    aws.on(CreateTenantResourceAssociationCommand).resolves({});

    const state = await tenants.ensure(organizationId, ['one.example', 'two.example']);

    expect(state).toEqual({ sending: 'enabled' });
    expect(aws.commandCalls(CreateTenantCommand)[0]?.args[0].input).toEqual({
      TenantName: organizationId,
      SuppressionAttributes: ownList,
    });
    expect(associated()).toEqual([
      `${prefix}:configuration-set/email-service`,
      `${prefix}:identity/one.example`,
      `${prefix}:identity/two.example`,
    ]);
  });

  it('completes what a process that died has left', async () => {
    aws.on(GetTenantCommand).resolves({ Tenant: { TenantArn, SendingStatus: 'REINSTATED' } });
    aws
      .on(CreateTenantResourceAssociationCommand)
      .rejectsOnce(new AlreadyExistsException(fault(400)))
      .resolves({});

    const state = await tenants.ensure(organizationId, ['one.example']);

    expect(state).toEqual({ sending: 'enabled' });
    expect(aws.commandCalls(CreateTenantCommand)).toEqual([]);
    expect(associated()).toHaveLength(2);
  });

  it('reads the tenant that another process has created in between', async () => {
    aws
      .on(GetTenantCommand)
      .rejectsOnce(new NotFoundException(fault(404)))
      .resolves({ Tenant: { TenantArn, SendingStatus: 'ENABLED' } });
    aws.on(CreateTenantCommand).rejects(new AlreadyExistsException(fault(400)));
    aws.on(CreateTenantResourceAssociationCommand).resolves({});

    expect(await tenants.ensure(organizationId, [])).toEqual({ sending: 'enabled' });
  });

  it.each([
    ['SES', { AwsSesManagedStatus: { Status: 'DISABLED', Cause: 'Bounces' } }, 'Bounces'],
    [
      'the operator',
      {
        AwsSesManagedStatus: { Status: 'ENABLED', Cause: 'Well' },
        CustomerManagedStatus: { Status: 'DISABLED', Cause: 'Unpaid' },
      },
      'Unpaid',
    ],
  ] as const)(
    'tells that %s has paused the tenant, and why',
    async (_who, ReputationEntity, reason) => {
      aws.on(GetTenantCommand).resolves({ Tenant: { TenantArn, SendingStatus: 'DISABLED' } });
      aws.on(CreateTenantResourceAssociationCommand).resolves({});
      aws
        .on(GetReputationEntityCommand, {
          ReputationEntityReference: TenantArn,
          ReputationEntityType: 'RESOURCE',
        })
        .resolves({ ReputationEntity });

      expect(await tenants.ensure(organizationId, [])).toEqual({ sending: 'paused', reason });
    },
  );

  it('tells that the tenant is paused when SES has no record of why', async () => {
    aws.on(GetTenantCommand).resolves({ Tenant: { TenantArn, SendingStatus: 'DISABLED' } });
    aws.on(GetReputationEntityCommand).resolves({});

    expect(await tenants.ensure(organizationId, [])).toEqual({ sending: 'paused' });
  });
});

describe('dissociate', () => {
  it('takes the domain from the tenant, also twice', async () => {
    aws.on(GetTenantCommand).resolves({ Tenant: { TenantArn } });
    aws
      .on(DeleteTenantResourceAssociationCommand)
      .resolvesOnce({})
      .rejects(new NotFoundException(fault(404)));

    await tenants.dissociate(organizationId, 'one.example');
    await tenants.dissociate(organizationId, 'one.example');

    expect(aws.commandCalls(DeleteTenantResourceAssociationCommand)[0]?.args[0].input).toEqual({
      TenantName: organizationId,
      ResourceArn: `${prefix}:identity/one.example`,
    });
  });

  it('does nothing where the organization is no tenant', async () => {
    aws.on(GetTenantCommand).rejects(new NotFoundException(fault(404)));

    await tenants.dissociate(organizationId, 'one.example');

    expect(aws.commandCalls(DeleteTenantResourceAssociationCommand)).toEqual([]);
  });
});

describe('delete', () => {
  it('takes the tenant out of SES, also twice', async () => {
    aws
      .on(DeleteTenantCommand)
      .resolvesOnce({})
      .rejects(new NotFoundException(fault(404)));

    await tenants.delete(organizationId);
    await tenants.delete(organizationId);

    expect(aws.commandCalls(DeleteTenantCommand)[0]?.args[0].input).toEqual({
      TenantName: organizationId,
    });
  });
});
