import type {
  FilterPattern,
  FilterTest,
} from '../../constructs/pipelines/table-stream-settings.ts';

/**
 * Decides as Lambda's event source mapping does: every name in the pattern must pass one of its tests (Lambda guide,
 * "Filter rule syntax"). Implements only the tests that the stack uses.
 */
export const passesFilter = (record: unknown, pattern: FilterPattern): boolean =>
  Object.entries(pattern).every(([name, part]) => {
    const value = propertyOf(record, name);
    return isTests(part) ? part.some((test) => passesTest(value, test)) : passesFilter(value, part);
  });

const isTests = (part: FilterPattern | readonly FilterTest[]): part is readonly FilterTest[] =>
  Array.isArray(part);

function passesTest(value: unknown, test: FilterTest): boolean {
  if (typeof test === 'string') return value === test;
  if ('exists' in test) return (value !== undefined) === test.exists;
  return typeof value === 'string' && value.startsWith(test.prefix);
}

function propertyOf(value: unknown, name: string): unknown {
  const isObject = typeof value === 'object' && value !== null;
  return isObject ? new Map(Object.entries(value)).get(name) : undefined;
}
