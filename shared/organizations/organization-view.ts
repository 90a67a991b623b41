import * as z from 'zod/mini';
import { organizationSchema } from './organization.ts';

const shape = organizationSchema.shape;

/** An organization as the operator of the deployment sees it. */
export const organizationViewSchema = z.object({
  id: shape.id,
  name: shape.name,
  paused: shape.paused,
  attachmentsEnabled: shape.attachmentsEnabled,
  linksDisabled: z._default(z.boolean(), false),
  identity: shape.identity,
  domains: shape.domains,
  tenant: shape.tenant,
  createdAt: shape.createdAt,
  updatedAt: shape.updatedAt,
});

/** A key that was made a moment ago. Its text is shown here and nowhere else. */
export const newApiKeyViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  /** What a caller presents. */
  key: z.string(),
  createdAt: z.int(),
});
