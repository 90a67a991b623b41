import { type ComponentChildren, createContext, type TargetedSubmitEvent } from 'preact';
import { useContext, useEffect, useId, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { ApiFailure } from '../api-client.ts';
import { DialogContext } from './dialog.tsx';
import { capitalized, isoMoment, localField, localMoment, shorten } from './format.ts';
import { addressWith, type Query } from './paging.ts';
import { Failure } from './states.tsx';
import { useAction } from './use-call.ts';

/** What's typed into a form, by name; empty fields are `undefined`. */
export type Typed = (name: string) => string | undefined;

const typedIn =
  (form: FormData): Typed =>
  (name) => {
    const value = form.get(name);
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  };

type InputType = 'text' | 'email' | 'url' | 'number' | 'password' | 'datetime-local';

type FieldProps = {
  label: string;
  name: string;
  hint?: string;
  /** Where the request has it, if that isn't its name. */
  path?: string;
  type?: InputType;
  value?: string | undefined;
  required?: boolean;
  autocomplete?: string;
};

/** What the service refused, by the first part of its path. */
type Faults = ReadonlyMap<string, string>;
const FaultsContext = createContext<Faults>(new Map());

const rootOf = (path: string): string => path.split(/[./[]/).find((part) => part !== '') ?? path;

/** The service says “must be …” of a field that it names; here it stands below the field. */
const faultText = (message: string): string =>
  `${capitalized(message)}${/[.!?]$/.test(message) ? '' : '.'}`;

const faultsOf = ({ fields = [] }: Partial<ApiFailure> = {}): Faults =>
  new Map(fields.map(({ path, message }) => [rootOf(path), faultText(message)]));

type Control = {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
  readonly 'data-path': string | undefined;
};

/** A control with its label and hint, and what's wrong with it. */
export function Labelled({
  id: givenId,
  label,
  hint,
  path,
  children,
}: {
  id?: string;
  label: string;
  hint?: string | undefined;
  path?: string | undefined;
  children: (control: Control) => ComponentChildren;
}) {
  const madeId = useId();
  const id = givenId ?? madeId;
  const fault = useContext(FaultsContext).get(path ?? '');
  const described = [...(fault ? [`${id}-fault`] : []), ...(hint ? [`${id}-hint`] : [])];
  return (
    <p class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-describedby': described.join(' ') || undefined,
        'aria-invalid': fault ? true : undefined,
        'data-path': path,
      })}
      {fault && (
        <span id={`${id}-fault`} class="fault">
          <bdi>{shorten(fault, 500)}</bdi>
        </span>
      )}
      {hint && (
        <small id={`${id}-hint`} class="quiet">
          {hint}
        </small>
      )}
    </p>
  );
}

export const Field = ({ label, hint, path, value, type = 'text', ...rest }: FieldProps) => (
  <Labelled label={label} hint={hint} path={path ?? rest.name}>
    {(control) =>
      inputOf(type, { ...control, defaultValue: value ?? '', spellcheck: false, ...rest })
    }
  </Labelled>
);

type InputProps = Control & {
  readonly name: string;
  readonly defaultValue: string;
  readonly spellcheck: boolean;
  readonly required?: boolean;
  readonly autocomplete?: string;
};

/** Preact types each kind of input separately. */
function inputOf(type: InputType, props: InputProps) {
  switch (type) {
    case 'text':
      return <input {...props} type="text" />;
    case 'email':
      return <input {...props} type="email" />;
    case 'url':
      return <input {...props} type="url" />;
    case 'number':
      return <input {...props} type="number" />;
    case 'password':
      return <input {...props} type="password" />;
    case 'datetime-local':
      return <input {...props} type="datetime-local" />;
  }
}

export const Choice = ({
  label,
  name,
  value = '',
  hint,
  options,
}: {
  label: string;
  name: string;
  value?: string | undefined;
  hint?: string;
  options: readonly (readonly [value: string, text: string])[];
}) => (
  <Labelled label={label} hint={hint} path={name}>
    {(control) => (
      <select {...control} name={name} key={value} defaultValue={value}>
        {options.map(([one, text]) => (
          <option key={one} value={one} selected={one === value}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Labelled>
);

export const anyOf = (options: readonly (readonly [value: string, text: string])[]) =>
  [['', 'Any'], ...options] as const;

/** A moment of the address's query, in the reader's zone. */
export function MomentField({
  label,
  name,
  required,
}: {
  label: string;
  name: string;
  required?: boolean;
}) {
  const { query } = useLocation();
  const text = query[name] ?? '';
  // Links may have milliseconds; people may type anything.
  const at = localMoment(/^\d+$/.test(text) ? new Date(Number(text)).toJSON() : text);
  return (
    <Field
      label={label}
      name={name}
      type="datetime-local"
      value={localField(at)}
      {...(required && { required })}
    />
  );
}

/** Checkboxes that share a name. */
export function Checks({
  legend,
  hint,
  name,
  path = name,
  options,
  chosen,
}: {
  legend: string;
  hint: string;
  name: string;
  path?: string;
  options: readonly (readonly [value: string, text: ComponentChildren])[];
  chosen: readonly string[];
}) {
  const fault = useContext(FaultsContext).get(path);
  return (
    <fieldset data-path={path} tabIndex={-1}>
      <legend>{legend}</legend>
      {fault && (
        <p class="fault">
          <bdi>{shorten(fault, 500)}</bdi>
        </p>
      )}
      <p class="quiet">{hint}</p>
      {options.map(([value, text]) => (
        <label key={value} class="check">
          <input
            type="checkbox"
            name={name}
            value={value}
            defaultChecked={chosen.includes(value)}
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
}

export const checkedIn = <Value extends string>(
  form: FormData,
  name: string,
  values: readonly Value[],
): Value[] => values.filter((value) => form.getAll(name).includes(value));

/** A form whose fields are the address's query. Submitting it leads to the address with what's typed. */
export function SearchForm({
  texts,
  moments = [],
  kept = {},
  submit,
  beside,
  children,
}: {
  /** The names of its fields, but those of moments. */
  texts: readonly string[];
  moments?: readonly string[];
  /** Parts of the query that aren't fields. */
  kept?: Query;
  submit: string;
  /** Shown beside the button. */
  beside?: ComponentChildren;
  children: ComponentChildren;
}) {
  const { path, query, route } = useLocation();
  const search = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = typedIn(new FormData(event.currentTarget));
    const entries = [
      ...texts.map((name) => [name, typed(name)] as const),
      ...moments.map((name) => [name, isoMoment(typed(name))] as const),
    ];
    route(addressWith(path, { ...kept, ...Object.fromEntries(entries) }));
  };
  return (
    <search>
      <form
        class="filters"
        key={JSON.stringify([...texts, ...moments].map((name) => query[name]))}
        onSubmit={search}
      >
        {children}
        <p class="buttons">
          <button type="submit" class="main">
            {submit}
          </button>
          {beside}
        </p>
      </form>
    </search>
  );
}

const fieldAt = (form: HTMLFormElement | null, path: string): HTMLElement | null =>
  form?.querySelector<HTMLElement>(`[data-path="${CSS.escape(rootOf(path))}"]`) ?? null;

/**
 * A form that changes something. What's typed stays when that fails, and each field says what's wrong with it. In a
 * dialog, success closes it.
 */
export function ChangeForm({
  submit,
  keeps = false,
  staysOpen = false,
  act,
  children,
}: {
  submit: string;
  /** Keeps what's typed after success, too. */
  keeps?: boolean;
  /** In a dialog that shows the answer. */
  staysOpen?: boolean;
  act: (typed: Typed, form: FormData) => Promise<void>;
  children: ComponentChildren;
}) {
  const element = useRef<HTMLFormElement>(null);
  const dialog = useContext(DialogContext);
  const action = useAction(async () => {
    const form = element.current;
    if (form === null) return;
    const typed = new FormData(form);
    dialog?.hold(true);
    await act(typedIn(typed), typed).finally(() => dialog?.hold(false));
    if (!keeps) form.reset();
    if (!staysOpen) dialog?.close();
  });
  const { failure } = action;
  useEffect(() => {
    const [first] =
      failure?.fields.flatMap(({ path }) => fieldAt(element.current, path) ?? []) ?? [];
    first?.focus();
  }, [failure]);
  return (
    <form
      ref={element}
      onSubmit={(event) => {
        event.preventDefault();
        action.run();
      }}
    >
      <FaultsContext.Provider value={faultsOf(failure)}>{children}</FaultsContext.Provider>
      {failure && (
        <Failure failure={failure} isAtField={(path) => fieldAt(element.current, path) !== null} />
      )}
      <p class="buttons">
        {dialog && (
          <button
            type="button"
            aria-disabled={action.isRunning}
            onClick={() => action.isRunning || dialog.close()}
          >
            {staysOpen ? 'Close' : 'Cancel'}
          </button>
        )}
        <button type="submit" class="main" aria-disabled={action.isRunning}>
          {action.isRunning ? 'Working…' : submit}
        </button>
      </p>
    </form>
  );
}

/** A field with several lines. */
export const TextArea = ({
  label,
  hint,
  value = '',
  rows = 4,
  isCode = false,
  isReadOnly = false,
  ...rest
}: {
  label: string;
  hint?: string;
  name?: string;
  value?: string | undefined;
  rows?: number;
  isCode?: boolean;
  isReadOnly?: boolean;
  required?: boolean;
}) => (
  <Labelled label={label} hint={hint} path={rest.name}>
    {(control) => (
      <textarea
        {...control}
        {...rest}
        class={isCode ? 'code' : 'lines'}
        rows={rows}
        defaultValue={value}
        readOnly={isReadOnly}
        spellcheck={!isCode}
        autocomplete="off"
      />
    )}
  </Labelled>
);
