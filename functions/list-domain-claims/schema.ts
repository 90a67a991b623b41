import * as z from 'zod/mini';
import { domainClaimViewSchema } from '#shared/domains/domain-claim';
import { operatorHeadersSchema } from '#shared/http/shared-secret';
import { pageQueryFields, pageSchema } from '#shared/table/list-position';

export const headersSchema = operatorHeadersSchema;

/** Query of GET /api/v1/domain-claims. */
export const querySchema = z.strictObject(pageQueryFields);
export type ListDomainClaimsQuery = z.infer<typeof querySchema>;

/** Response 200: claims, newest first. */
export const responseSchema = pageSchema(domainClaimViewSchema);
