import { setTimeout } from 'node:timers/promises';
import * as z from 'zod/mini';
import { addressField } from '#shared/contacts/address-field';
import type {
  CustomResourceAnswer,
  CustomResourceRequest,
} from '#shared/declarations/custom-resource';
import { declarerOf } from '#shared/declarations/declaration';
import { domainField, mailFromLabelField } from '#shared/domains/domain-field';
import { worksOnSesIdentities } from '#shared/domains/ses-identities';
import { defineFunction } from '#shared/endpoints/background-function';
import { parseFields } from '#shared/errors/field-error';
import { changesDomains, domainChanges, looksAfterDomains } from '#shared/identity/identity-upkeep';
import { organizationIdSchema } from '#shared/tokens/resource-id';
import {
  type DeclaredDomain,
  type DomainDeclaring,
  declareDomain,
  removeDeclaredDomain,
  untilVerified,
} from './declared-domain.ts';

const namedSchema = { OrganizationId: organizationIdSchema, Domain: domainField };

const namedDomainSchema = z.object(namedSchema);

/** CloudFormation turns all values into strings. */
const domainSchema = z.object({
  ...namedSchema,
  FromEmail: z.exactOptional(addressField),
  MailFromLabel: mailFromLabelField,
  Adopts: z.stringbool(),
});

/** Waits for SES to verify a domain for as long as a function may run. */
const timeoutSeconds = 900;

/** A minute less than the timeout, so that the function still answers. */
const maxMinutes = timeoutSeconds / 60 - 1;

const verificationSchema = z.object({
  ...namedSchema,
  WaitMinutes: z.coerce.number().check(z.gte(0), z.lte(maxMinutes)),
});

export const backgroundFunction = defineFunction(
  {
    trigger: 'custom-resource',
    idOf,
    uses: {
      ...changesDomains,
      ses: /* @__PURE__ */ worksOnSesIdentities([
        ...looksAfterDomains,
        'GetAccount',
        'UntagResource',
      ]),
      sleep: () => (milliseconds: number) => setTimeout(milliseconds),
    },
    lambda: {
      tableActions: domainChanges,
      timeoutSeconds,
    },
  },
  (request, service, log) => {
    const declaring = { ...service, log };
    return request.ResourceType === 'Custom::EmailDomainVerified'
      ? verify(request, declaring)
      : declare(request, declaring);
  },
);

async function declare(
  request: CustomResourceRequest,
  declaring: DomainDeclaring,
): Promise<CustomResourceAnswer> {
  const physicalId = idOf(request);
  // One for each domain and organization that the resource ever declares.
  const asked = {
    declarer: declarerOf(request.StackId, `${request.LogicalResourceId} ${physicalId}`),
    requestId: request.RequestId,
  };
  if (request.RequestType === 'Delete') {
    const named = namedIn(request);
    if (named !== undefined) await removeDeclaredDomain({ ...asked, ...named }, declaring);
    return { physicalId };
  }
  const given = parseFields(domainSchema, request.ResourceProperties);
  const { publishes, publishesDmarc, records } = await declareDomain(
    {
      ...asked,
      organizationId: given.OrganizationId,
      domain: given.Domain,
      fromEmail: given.FromEmail,
      mailFromLabel: given.MailFromLabel,
      adopts: given.Adopts,
    },
    declaring,
  );
  return {
    physicalId,
    data: {
      Publishes: String(publishes),
      PublishesDmarc: String(publishesDmarc),
      ...attributesOf(records),
    },
  };
}

const attributes = {
  mail_from_mx: 'MailFromMx',
  mail_from_spf: 'MailFromSpf',
  dmarc: 'Dmarc',
} as const;

/** Name and value of each record, as `infra/email-organization.ts` reads them. */
function attributesOf(records: DeclaredDomain['records']): Record<string, string> {
  const ofPurpose = (name: string) => records.filter(({ purpose }) => purpose === name);
  const named = [
    // SES makes three, but has others for domains whose owner signs with their own keys.
    ...[0, 1, 2].map((index) => [`Dkim${index + 1}`, ofPurpose('dkim')[index]] as const),
    ...Object.entries(attributes).map(([purpose, name]) => [name, ofPurpose(purpose)[0]] as const),
  ];
  return Object.fromEntries(
    named.flatMap(([key, record]) => [
      [`${key}Name`, record?.name ?? ''],
      [`${key}Value`, record === undefined ? '' : zoneValueOf(record)],
    ]),
  );
}

/** Route 53 takes texts in quotes. */
const zoneValueOf = ({ type, value }: DeclaredDomain['records'][number]): string =>
  type === 'TXT' ? `"${value}"` : value;

async function verify(
  request: CustomResourceRequest,
  declaring: DomainDeclaring,
): Promise<CustomResourceAnswer> {
  if (request.RequestType !== 'Delete') {
    const given = parseFields(verificationSchema, request.ResourceProperties);
    const named = { organizationId: given.OrganizationId, domain: given.Domain };
    await untilVerified(named, given.WaitMinutes, declaring);
  }
  return { physicalId: idOf(request) };
}

/** A different domain or organization is a different resource, so CloudFormation deletes the old one. */
function idOf({ ResourceProperties, PhysicalResourceId }: CustomResourceRequest): string {
  const named = namedDomainSchema.safeParse(ResourceProperties).data;
  if (named === undefined) return PhysicalResourceId ?? 'no-domain';
  return `${named.OrganizationId}/${named.Domain}`;
}

function namedIn(request: CustomResourceRequest) {
  const named = namedDomainSchema.safeParse(request.ResourceProperties).data;
  return named && { organizationId: named.OrganizationId, domain: named.Domain };
}
