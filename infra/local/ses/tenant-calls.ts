import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import {
  done,
  notFound,
  refusal,
  type SesAnswer,
  type SesCall,
  type SesState,
  suppressionReason,
} from './state.ts';

const tenantRequest = z.object({ TenantName: z.string() });
const suppressionRequest = z.object({
  SuppressionScope: z.enum(['ACCOUNT', 'TENANT']),
  SuppressedReasons: z.array(suppressionReason),
});
const creationRequest = tenantRequest.extend({
  SuppressionAttributes: suppressionRequest.optional(),
});
const changeRequest = tenantRequest.extend(suppressionRequest.shape);
const associationRequest = z.object({ TenantName: z.string(), ResourceArn: z.string() });

const account = '000000000000';
const region = 'us-east-1';

export function answerTenantCall(
  { method, path, body }: SesCall,
  state: SesState,
): SesAnswer | undefined {
  const [, reference] = /^\/reputation\/entities\/RESOURCE\/(.+)$/.exec(path) ?? [];
  if (reference !== undefined) return reputationOf(reference, state);
  if (method !== 'POST') return undefined;
  switch (path) {
    case '/tenants':
      return create(creationRequest.parse(body), state);
    case '/tenant/suppression':
      return setSuppression(changeRequest.parse(body), state);
    case '/tenants/get': {
      const { TenantName: name } = tenantRequest.parse(body);
      const Tenant = shownOf(name, state);
      return Tenant === undefined ? noTenant(name) : { status: 200, json: { Tenant } };
    }
    case '/tenants/delete':
      return remove(tenantRequest.parse(body).TenantName, state);
    case '/tenants/resources':
      return associate(associationRequest.parse(body), state);
    case '/tenants/resources/delete':
      return dissociate(associationRequest.parse(body), state);
    default:
      return undefined;
  }
}

export function refusalOfSend(
  tenantName: string,
  resources: readonly string[],
  state: SesState,
): SesAnswer | undefined {
  const tenant = state.tenants[tenantName];
  if (tenant === undefined) return noTenant(tenantName);
  const missing = resources.filter(
    (resource) => !tenant.resources.some((arn) => arn.endsWith(`:${resource}`)),
  );
  if (missing.length > 0) {
    const message = `Tenant not associated with resources [${missing.join(', ')}]`;
    return refusal(403, 'AccessDeniedException', message);
  }
  const message = `Sending is paused for tenant ${tenantName}`;
  return tenant.sendingStatus === 'DISABLED'
    ? refusal(400, 'SendingPausedException', message)
    : undefined;
}

function create(
  { TenantName: name, SuppressionAttributes: attributes }: z.output<typeof creationRequest>,
  state: SesState,
): SesAnswer {
  if (state.tenants[name] !== undefined) return alreadyThere(`Tenant ${name} already exists.`);
  const id = `tn-${randomBytes(15).toString('hex')}`;
  state.tenants[name] = {
    id,
    resources: [],
    sendingStatus: 'ENABLED',
    // By default, a tenant uses the account's list (SES API reference, "TenantSuppressionAttributes").
    suppression:
      attributes === undefined ? { scope: 'ACCOUNT', reasons: [] } : toSuppression(attributes),
    suppressed: {},
  };
  return { status: 200, json: shownOf(name, state) };
}

function setSuppression(
  { TenantName: name, ...attributes }: z.output<typeof changeRequest>,
  state: SesState,
): SesAnswer {
  const tenant = state.tenants[name];
  if (tenant === undefined) return noTenant(name);
  tenant.suppression = toSuppression(attributes);
  return done;
}

const toSuppression = ({
  SuppressionScope: scope,
  SuppressedReasons: reasons,
}: z.output<typeof suppressionRequest>) => ({ scope, reasons });

function remove(name: string, state: SesState): SesAnswer {
  if (state.tenants[name] === undefined) return noTenant(name);
  delete state.tenants[name];
  return done;
}

function associate(
  { TenantName, ResourceArn }: z.output<typeof associationRequest>,
  state: SesState,
): SesAnswer {
  const tenant = state.tenants[TenantName];
  if (tenant === undefined) return noTenant(TenantName);
  const [, domain] = /:identity\/(.+)$/.exec(ResourceArn) ?? [];
  if (domain !== undefined && state.identities[domain] === undefined) {
    return notFound(`Resource ${ResourceArn} does not exist.`);
  }
  if (tenant.resources.includes(ResourceArn)) return alreadyThere('The association exists.');
  tenant.resources.push(ResourceArn);
  return done;
}

function dissociate(
  { TenantName, ResourceArn }: z.output<typeof associationRequest>,
  state: SesState,
): SesAnswer {
  const tenant = state.tenants[TenantName];
  if (!tenant?.resources.includes(ResourceArn)) return noTenant(TenantName);
  tenant.resources = tenant.resources.filter((arn) => arn !== ResourceArn);
  return done;
}

function reputationOf(arn: string, state: SesState): SesAnswer {
  const [name, tenant] =
    Object.entries(state.tenants).find(([one, { id }]) => tenantArnOf(one, id) === arn) ?? [];
  if (name === undefined || tenant === undefined) return noTenant(arn);
  const { sendingStatus: Status, cause: Cause } = tenant;
  return {
    status: 200,
    json: {
      ReputationEntity: {
        ReputationEntityReference: arn,
        ReputationEntityType: 'RESOURCE',
        SendingStatusAggregate: Status,
        AwsSesManagedStatus: { Status, Cause },
      },
    },
  };
}

function shownOf(name: string, state: SesState) {
  const tenant = state.tenants[name];
  return (
    tenant && {
      TenantName: name,
      TenantId: tenant.id,
      TenantArn: tenantArnOf(name, tenant.id),
      SendingStatus: tenant.sendingStatus,
      SuppressionAttributes: {
        SuppressionScope: tenant.suppression.scope,
        SuppressedReasons: tenant.suppression.reasons,
      },
    }
  );
}

export const tenantArnOf = (name: string, id: string): string =>
  `arn:aws:ses:${region}:${account}:tenant/${name}/${id}`;

const noTenant = (name: string): SesAnswer => notFound(`Tenant ${name} does not exist.`);

const alreadyThere = (message: string): SesAnswer =>
  refusal(400, 'AlreadyExistsException', message);
