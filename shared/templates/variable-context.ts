import Mustache from 'mustache';

/**
 * Looks variables up by their own properties only. Mustache's own context goes by `in` and keeps what it
 * found in an object, where `constructor` and `hasOwnProperty` are names like any other.
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

  /** The value of a dotted path, from the innermost section outwards; `undefined` when there is none. */
  override lookup(path: string): unknown {
    if (path === '.') return this.#view;
    const names = path.split('.');
    const found = names.reduce<unknown>(ownValue, this.#view);
    return found === undefined ? this.#parent?.lookup(path) : found;
  }
}

const ownValue = (value: unknown, name: string): unknown =>
  value !== undefined && value !== null && Object.hasOwn(Object(value), name)
    ? Reflect.get(Object(value), name)
    : undefined;
