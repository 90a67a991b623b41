import * as z from 'zod/mini';

/** What every endpoint under `/resend` is that manages something. It knows nothing of sending. */
export const managementDeclaration = {
  errorForm: 'resend',
  access: { key: 'required', scope: 'manage_organization' },
} as const;

/** The same, of templates. */
export const templateDeclaration = {
  errorForm: 'resend',
  access: { key: 'required', scope: 'templates_manage' },
} as const;

/** What a DELETE answers: Resend never answers 204. */
export const deletedSchema = <const Kind extends string>(kind: Kind) =>
  z.object({ object: z.literal(kind), id: z.string(), deleted: z.literal(true) });

export const deleted = <const Kind extends string>(object: Kind, id: string) =>
  ({ object, id, deleted: true }) as const;
