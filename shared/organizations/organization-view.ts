import * as z from 'zod/mini';
import { organizationSchema } from './organization.ts';

const shape = organizationSchema.shape;

export const organizationViewSchema = z.object({
  id: shape.id,
  name: shape.name,
  paused: shape.paused,
  attachmentsEnabled: shape.attachmentsEnabled,
  linksDisabled: z._default(z.boolean(), false),
  linkDomain: shape.linkDomain,
  formerLinkDomains: shape.formerLinkDomains,
  identity: shape.identity,
  domains: shape.domains,
  tenant: shape.tenant,
  createdAt: shape.createdAt,
  updatedAt: shape.updatedAt,
});
