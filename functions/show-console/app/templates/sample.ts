import { type Tag, tagsIn } from '#shared/templates/rendering/template-tags';

/** How a template uses one of its variables. */
type Variable = {
  readonly members: Map<string, Variable>;
  /** Printed by its name. */
  isPrinted: boolean;
  /** `{{#name}}`: a list, or a condition. */
  isSection: boolean;
  /** Within its section, `{{.}}` prints each item. */
  hasPrintedItems: boolean;
  /** `{{name.member}}`: an object, not a list. */
  hasPath: boolean;
};

type Members = Variable['members'];
/** An open section: names inside it are members of its items. */
type Open = { readonly first: string; readonly outer: Members; readonly variable?: Variable };

/**
 * Makes sample variables for a template: each has its name as its value, and every list has one item. So nothing is
 * missing unless a name is used for different things; the preview then shows which.
 *
 * @param texts the template's parts. Of a part with syntax errors, it reads what it can.
 */
export function sampleOf(texts: readonly string[]): Record<string, unknown> {
  const members: Members = new Map();
  for (const text of texts) readPart(text, members);
  return valuesOf(members);
}

function readPart(text: string, members: Members): void {
  const open: Open[] = [];
  for (const tag of tagsIn(text)) readTag(tag, members, open);
}

function readTag({ symbol, name, isClosed }: Tag, root: Members, open: Open[]): void {
  if (!isClosed || symbol === '!' || symbol === '>' || symbol === '=') return;
  if (symbol === '/') {
    open.pop();
    return;
  }
  const inner = open.filter(({ variable }) => variable !== undefined).at(-1)?.variable;
  if (name === '.') {
    if (inner) inner.hasPrintedItems = true;
    return;
  }
  const [first = ''] = name.split('.');
  // `{{#name}}Hello {{name}}{{/name}}`: inside its own section, the name means the same.
  const itself = open.find((section) => section.variable && section.first === first);
  const scope = itself?.outer ?? inner?.members ?? root;
  if (symbol === '^') {
    open.push({ first, outer: scope });
    return;
  }
  const variable = variableAt(scope, name);
  if (symbol === '#') {
    variable.isSection = true;
    open.push({ first, outer: scope, variable });
  } else {
    variable.isPrinted = true;
  }
}

/** Finds or creates the variable of a dotted path. */
function variableAt(scope: Members, path: string): Variable {
  const [first = '', ...rest] = path.split('.');
  return rest.reduce(
    (variable, name) => {
      variable.hasPath = true;
      return memberOf(variable.members, name);
    },
    memberOf(scope, first),
  );
}

function memberOf(members: Members, name: string): Variable {
  const known = members.get(name);
  if (known) return known;
  const variable: Variable = {
    members: new Map(),
    isPrinted: false,
    isSection: false,
    hasPrintedItems: false,
    hasPath: false,
  };
  members.set(name, variable);
  return variable;
}

const valuesOf = (members: Members): Record<string, unknown> =>
  Object.fromEntries([...members].map(([name, variable]) => [name, sampleValue(name, variable)]));

function sampleValue(name: string, variable: Variable): unknown {
  const { members, isSection, isPrinted, hasPrintedItems, hasPath } = variable;
  if (members.size > 0) {
    const values = valuesOf(members);
    return isSection && !hasPath ? [values] : values;
  }
  if (hasPrintedItems) return [name];
  return isPrinted || !isSection ? name : true;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Fills gaps in the values from a sample. */
export function withMissing(values: unknown, sample: unknown): unknown {
  if (Array.isArray(values) && Array.isArray(sample)) {
    return values.map((value) => withMissing(value, sample[0]));
  }
  if (!isObject(values) || !isObject(sample)) return values;
  const known = Object.entries(values).map(([name, value]) => [
    name,
    Object.hasOwn(sample, name) ? withMissing(value, sample[name]) : value,
  ]);
  const added = Object.entries(sample).filter(([name]) => !Object.hasOwn(values, name));
  return Object.fromEntries([...known, ...added]);
}
