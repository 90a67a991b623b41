import type * as z from 'zod/mini';
import { limitsEnvironment, parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { openTable, type Table } from '#shared/table/table-client';
import type { Lambda } from './lambda.ts';

type EnvironmentOf<L extends Lambda> = L extends {
  readonly environment: infer Schema extends z.core.$ZodType;
}
  ? z.output<Schema>
  : object;

type Open<L extends Lambda, Opened> = (table: Table, environment: EnvironmentOf<L>) => Opened;

/** Opens what an operation uses: one function, or one for each part by its name. */
export type Opener<L extends Lambda, Opened> =
  | Open<L, Opened>
  | { readonly [Name in keyof Opened]: Open<L, Opened[Name]> };

/** Opens once, while the process starts: all requests share the result. */
export function openFunction<const L extends Lambda, Opened>(
  lambda: L,
  open: Opener<L, Opened>,
  table?: Table,
): Opened;
export function openFunction(
  lambda: Lambda,
  open: Opener<Lambda, Readonly<Record<string, unknown>>>,
  table = openOwnTable(),
) {
  const environment = environmentOf(lambda);
  if (typeof open === 'function') return open(table, environment);
  return Object.fromEntries(
    Object.entries(open).map(([name, openPart]) => [name, openPart(table, environment)]),
  );
}

export const openOwnTable = (): Table => openTable(parseEnvironment(tableEnvironment).TABLE_NAME);

function environmentOf<const L extends Lambda>(lambda: L): EnvironmentOf<L>;
function environmentOf({ environment }: Lambda): unknown {
  return environment === undefined ? {} : parseEnvironment(environment);
}

export const openClockAndLimits = () => ({
  now: Date.now,
  limitsOfDeployment: parseEnvironment(limitsEnvironment).ORGANIZATION_LIMITS,
});

/** For operations that need only what their server opens. */
export const openNothing = () => ({});
