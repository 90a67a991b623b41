import * as z from 'zod/mini';
import { apiKeyCreated, createApiKey } from '#shared/access/api-key';
import { newApiKeyItem } from '#shared/access/api-key-store';
import { makerOf } from '#shared/audit/audit-entry';
import { addressField } from '#shared/contacts/address-field';
import { declarerOf, turnOf, withRequest } from '#shared/declarations/declaration';
import {
  getOrganizationDeclaration,
  type OrganizationDeclaration,
  putOrganizationDeclaration,
  storeOrganizationDeclaration,
} from '#shared/declarations/declaration-store';
import { defineFunction } from '#shared/endpoints/background-function';
import { parseFields } from '#shared/errors/field-error';
import { ServiceError } from '#shared/errors/service-error';
import { deleteOrganization } from '#shared/identity/delete-organization';
import type { RequestLog } from '#shared/observability/request-log';
import { changeOrganization } from '#shared/organizations/change-organization';
import { newOrganization } from '#shared/organizations/new-organization';
import {
  attachmentsByDefault,
  footerText,
  organizationName,
  senderName,
  trackingField,
  unsubscribePageUrl,
} from '#shared/organizations/organization-fields';
import { type OrganizationChanges, withChanges } from '#shared/organizations/organization-settings';
import { createOrganization, getOrganization } from '#shared/organizations/organization-store';
import type { TableAndClock } from '#shared/table/table-client';

export const settingsSchema = z.strictObject({
  name: organizationName,
  attachmentsEnabled: z.exactOptional(z.boolean()),
  senderName: z.exactOptional(senderName),
  replyTo: z.exactOptional(addressField),
  footerText: z.exactOptional(footerText),
  unsubscribePageUrl: z.exactOptional(unsubscribePageUrl),
  tracking: z.exactOptional(trackingField),
  transactionalUnsubscribe: z.exactOptional(z.boolean()),
  preferencesByAddress: z.exactOptional(z.boolean()),
});
export type DeclaredSettings = z.infer<typeof settingsSchema>;

/** JSON, as CloudFormation turns all numbers and booleans into strings. */
const propertiesSchema = z.object({
  Settings: z.pipe(
    z.string(),
    z.transform((text): unknown => JSON.parse(text)),
  ),
});
const settingsShape = z.record(z.string(), z.unknown());

/** The id of a resource whose creation failed. No organization has it, so deleting the resource deletes nothing. */
const noOrganization = 'no-organization';

export const backgroundFunction = defineFunction(
  {
    trigger: 'custom-resource',
    idOf: ({ PhysicalResourceId = noOrganization }) => PhysicalResourceId,
    lambda: {
      tableActions: [
        'GetItem',
        'BatchGetItem',
        'Query',
        'ConditionCheckItem',
        'PutItem',
        'UpdateItem',
        'DeleteItem',
      ],
    },
  },
  async (request, declaring, log) => {
    const { RequestType, RequestId: requestId, PhysicalResourceId: physicalId } = request;
    const declarer = declarerOf(request.StackId, request.LogicalResourceId);
    if (RequestType === 'Delete') {
      const asked = { declarer, requestId, physicalId: physicalId ?? noOrganization };
      await removeOrganization(asked, declaring, log);
      return { physicalId: asked.physicalId };
    }
    const { Settings } = propertiesSchema.parse(request.ResourceProperties);
    const former = propertiesSchema.safeParse(request.OldResourceProperties).data?.Settings;
    const declaration = await declareOrganization(
      {
        declarer,
        requestId,
        isNew: RequestType === 'Create',
        settings: parseFields(settingsSchema, Settings),
        formerSettings: Object.keys(z.safeParse(settingsShape, former).data ?? {}),
      },
      declaring,
    );
    const { organizationId, apiKeyId } = declaration;
    return {
      physicalId: organizationId,
      data: { OrganizationId: organizationId, ApiKeyId: apiKeyId },
    };
  },
);

type Asked = { readonly declarer: string; readonly requestId: string };

type OrganizationAsked = Asked & {
  readonly settings: DeclaredSettings;
  readonly formerSettings: readonly string[];
  readonly isNew: boolean;
};

const maxTries = 3;

/**
 * Makes or changes the organization that a resource declares. Organization, key and declaration are stored together, so
 * a repeated request finds all of them or none. An organization left over from before is taken up again; one that the
 * operator has deleted is made again.
 */
export async function declareOrganization(
  asked: OrganizationAsked,
  declaring: TableAndClock,
): Promise<OrganizationDeclaration> {
  const { declarer, requestId, settings, formerSettings } = asked;
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const before = await getOrganizationDeclaration(declaring.table, declarer);
    const turn = turnOf(requestId, before);
    if (before !== undefined && turn === 'late') return before;
    const known = await knownOf(before, declaring);
    const after =
      known === undefined
        ? await newlyDeclared(before, asked, declaring)
        : await noteRequest(known, asked, declaring);
    if (after === 'changed_meanwhile') continue;
    const changes = settingsChanges(settings, formerSettings);
    await changeOrganization(
      after.organizationId,
      'operator',
      (organization) => withChanges(organization, changes),
      declaring,
    );
    return after;
  }
  throw new ServiceError('concurrent_change');
}

async function knownOf(
  before: OrganizationDeclaration | undefined,
  { table }: TableAndClock,
): Promise<OrganizationDeclaration | undefined> {
  if (before === undefined || before.endedAt !== undefined) return undefined;
  const organization = await getOrganization(table, before.organizationId);
  return organization === undefined ? undefined : before;
}

/** The key's secret is thrown away: the key is for roles, which API Gateway admits by IAM. */
async function newlyDeclared(
  before: OrganizationDeclaration | undefined,
  { declarer, requestId, settings }: OrganizationAsked,
  { table, now: readClock }: TableAndClock,
): Promise<OrganizationDeclaration | 'changed_meanwhile'> {
  const now = readClock();
  const { name, attachmentsEnabled = attachmentsByDefault } = settings;
  const { organization, created } = newOrganization({ name, attachmentsEnabled }, 'operator', now);
  const { apiKey } = createApiKey(organization.id, {
    name: 'Roles with grantSend',
    scopes: ['send_email'],
    createdAt: now,
    createdBy: makerOf('operator'),
  });
  const after = {
    declarer,
    organizationId: organization.id,
    apiKeyId: apiKey.id,
    requests: withRequest(requestId, before),
  };
  const outcome = await createOrganization(
    table,
    organization,
    [created, apiKeyCreated(apiKey, 'operator')],
    [newApiKeyItem(apiKey), putOrganizationDeclaration(before, after)],
  );
  return outcome === 'stored' ? after : 'changed_meanwhile';
}

async function noteRequest(
  before: OrganizationDeclaration,
  { requestId, isNew }: OrganizationAsked,
  { table }: TableAndClock,
): Promise<OrganizationDeclaration | 'changed_meanwhile'> {
  if (turnOf(requestId, before) === 'again') return before;
  const requests = withRequest(requestId, before);
  const after = { ...before, requests, ...(isNew && { isTakenUp: true as const }) };
  const outcome = await storeOrganizationDeclaration(table, before, after);
  return outcome === 'stored' ? after : outcome;
}

/** A setting that's no longer declared gets its default; one that never was is left to the organization. */
export function settingsChanges(
  settings: DeclaredSettings,
  formerSettings: readonly string[],
): OrganizationChanges {
  const gone = formerSettings.filter((name) => !Object.hasOwn(settings, name));
  return Object.fromEntries([
    ...gone.map((name) => [name, name === 'attachmentsEnabled' ? attachmentsByDefault : null]),
    ...Object.entries(settings),
  ]);
}

/**
 * CloudFormation asks for this only if the app says so. An organization that was taken up again stays: the deletion may
 * be the rollback of a failed deployment.
 */
export async function removeOrganization(
  { declarer, requestId, physicalId }: Asked & { readonly physicalId: string },
  declaring: TableAndClock,
  log: RequestLog,
): Promise<void> {
  const { table, now } = declaring;
  const before = await getOrganizationDeclaration(table, declarer);
  if (before === undefined || before.endedAt !== undefined) return;
  const { organizationId } = before;
  if (turnOf(requestId, before) === 'late' || organizationId !== physicalId) return;
  if (before.isTakenUp) {
    log.warn('organization stays, as it was there before this resource', { organizationId });
    return;
  }
  const organization = await getOrganization(table, organizationId);
  if (organization !== undefined) {
    const { name } = organization;
    const caller = { actor: 'operator' } as const;
    await deleteOrganization({ caller, path: { id: organizationId }, query: { name } }, declaring);
  }
  const requests = withRequest(requestId, before);
  await storeOrganizationDeclaration(table, before, { ...before, requests, endedAt: now() });
}
