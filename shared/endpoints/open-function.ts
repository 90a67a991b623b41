import type { EnvironmentOf } from '#shared/aws/capability';
import { limitsEnvironment, parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { openTable, type Table } from '#shared/table/table-client';
import type { Capability, Endpoint, Opener, Service } from './endpoint.ts';
import type { Lambda } from './lambda.ts';

// Methods, whose parameters TypeScript compares both ways: `defineEndpoint` has checked that the environment is enough.
type AnyOpeners = {
  all(table: Table, environment: object): object;
  one(table: Table, environment: object): unknown;
};
type OpenersByName = Readonly<Record<string, AnyOpeners['one'] | Capability>>;

/** Opens once, while the process starts: all requests share the result. */
export function openFunction<const L extends Lambda, Opened>(
  lambda: L,
  open: Opener<L, Opened>,
  table?: Table,
): Opened;
export function openFunction(
  lambda: Lambda,
  open: AnyOpeners['all'] | OpenersByName,
  table = openOwnTable(),
): object {
  const environment = environmentOf(lambda);
  if (typeof open === 'function') return open(table, environment);
  return Object.fromEntries(
    Object.entries(open).map(([name, part]) => [
      name,
      typeof part === 'function' ? part(table, environment) : part.open(environmentOf(part.role)),
    ]),
  );
}

/** What the endpoint uses. */
export function openUses(endpoint: Pick<Endpoint, 'lambda' | 'uses'>, table?: Table): object {
  const open: Opener<Lambda, object> | AnyOpeners['all'] = endpoint.uses ?? {};
  return openFunction(endpoint.lambda, open, table);
}

export const openOwnTable = (): Table => openTable(parseEnvironment(tableEnvironment).TABLE_NAME);

function environmentOf<const L extends Partial<Lambda>>(lambda: L): EnvironmentOf<L>;
function environmentOf({ environment }: Partial<Lambda>): unknown {
  return environment === undefined ? {} : parseEnvironment(environment);
}

export const openService = (table = openOwnTable()): Service => ({
  table,
  now: Date.now,
  limitsOfDeployment: parseEnvironment(limitsEnvironment).ORGANIZATION_LIMITS,
});
