import type * as z from 'zod/mini';

type Environment = z.ZodMiniObject;

/** What the process of a function knows from its variables. */
export type EnvironmentOf<Role> = Role extends {
  readonly environment: infer Schema extends Environment;
}
  ? z.output<Schema>
  : object;

/** A function's role may do this, and its process knows these variables: part of a `Lambda`. */
type AnyRole = {
  readonly environment?: Environment;
  readonly [permission: string]: unknown;
};

/**
 * Something outside the table that operations use: what a role needs for it, and how it's opened once a function
 * starts. An endpoint or background function lists it in `uses`, where the type checker compares its role with a
 * `Lambda`.
 *
 * Called with `@__PURE__`, so bundles that use another capability of the same file leave it out.
 */
export const capability = <const Role extends AnyRole, Opened>(
  role: Role,
  open: (environment: EnvironmentOf<Role>) => Opened,
) => ({ role, open });
