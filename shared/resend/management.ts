import * as z from 'zod/mini';

/** For endpoints under `/resend` that manage something. Contains nothing about sending. */
export const managementDeclaration = {
  errorForm: 'resend',
  access: { key: 'required', scope: 'manage_organization' },
} as const;

export const templateDeclaration = {
  errorForm: 'resend',
  access: { key: 'required', scope: 'templates_manage' },
} as const;

/** Resend never answers 204. */
export const deletedSchema = <const Kind extends string>(kind: Kind) =>
  z.object({ object: z.literal(kind), id: z.string(), deleted: z.literal(true) });

export const deleted = <const Kind extends string>(object: Kind, id: string) =>
  ({ object, id, deleted: true }) as const;

export const resendTimeSchema = z.string();

export const resendTime = (time: number): string => new Date(time).toISOString();
