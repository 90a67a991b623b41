import Mustache from 'mustache';

/**
 * Only own members of objects and arrays are variables. Mustache's context uses `in`, which finds `constructor` in
 * every object, and a `length` in every text.
 */
export class VariableContext extends Mustache.Context {
  readonly #view: unknown;
  readonly #parent: VariableContext | undefined;

  constructor(view: unknown, parent?: VariableContext) {
    super(view, parent);
    this.#view = view;
    this.#parent = parent;
  }

  override push(view: unknown): VariableContext {
    return new VariableContext(view, this);
  }

  /**
   * The value of a dotted path, if any. The innermost section that knows the first name decides (Mustache
   * specification, "Dotted Names - Context Precedence").
   */
  override lookup(path: string): unknown {
    if (path === '.') return this.#view;
    const [first = '', ...rest] = path.split('.');
    return rest.reduce(memberOf, this.#lookupName(first));
  }

  #lookupName(name: string): unknown {
    const found = memberOf(this.#view, name);
    const isElsewhere = found === undefined && this.#parent !== undefined;
    return isElsewhere ? this.#parent.#lookupName(name) : found;
  }
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
