import { describe, expect, it } from 'vitest';
import { routesEnvironment, toRoutesVariable } from '#shared/config/routes-environment';
import { openPaths } from '../../../infra/routes.ts';

/** Lambda's limit for all variables of a function together ("Lambda quotas"). */
const mostBytes = 4_096;

describe('the variable with the routes', () => {
  it('tells the function every path and method of the route table', () => {
    const ROUTES = toRoutesVariable(openPaths);

    expect(routesEnvironment.parse({ ROUTES }).ROUTES).toEqual(openPaths);
  });

  it('takes less than half of the room that variables have', () => {
    expect(Buffer.byteLength(toRoutesVariable(openPaths))).toBeLessThan(mostBytes / 2);
  });
});
