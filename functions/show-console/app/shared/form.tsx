import type { ComponentChildren, TargetedSubmitEvent } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { isoMoment, localField, localMoment } from './format.ts';
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
  type?: InputType;
  value?: string | undefined;
  required?: boolean;
  autocomplete?: string;
};

/** A control with its label and hint. */
export function Labelled({
  id: givenId,
  label,
  hint,
  children,
}: {
  id?: string;
  label: string;
  hint?: string | undefined;
  children: (control: {
    readonly id: string;
    readonly 'aria-describedby': string | undefined;
  }) => ComponentChildren;
}) {
  const madeId = useId();
  const id = givenId ?? madeId;
  return (
    <p class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': hint && `${id}-hint` })}
      {hint && (
        <small id={`${id}-hint`} class="quiet">
          {hint}
        </small>
      )}
    </p>
  );
}

export const Field = ({ label, hint, value, type = 'text', ...rest }: FieldProps) => (
  <Labelled label={label} hint={hint}>
    {(control) =>
      inputOf(type, { ...control, defaultValue: value ?? '', spellcheck: false, ...rest })
    }
  </Labelled>
);

type InputProps = {
  readonly id: string;
  readonly name: string;
  readonly defaultValue: string;
  readonly spellcheck: boolean;
  readonly 'aria-describedby': string | undefined;
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
  options,
}: {
  label: string;
  name: string;
  value?: string | undefined;
  options: readonly (readonly [value: string, text: string])[];
}) => (
  <Labelled label={label}>
    {({ id }) => (
      <select id={id} name={name} key={value} defaultValue={value}>
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
export const Checks = ({
  legend,
  hint,
  name,
  options,
  chosen,
}: {
  legend: string;
  hint: string;
  name: string;
  options: readonly (readonly [value: string, text: ComponentChildren])[];
  chosen: readonly string[];
}) => (
  <fieldset>
    <legend>{legend}</legend>
    <p class="quiet">{hint}</p>
    {options.map(([value, text]) => (
      <label key={value} class="check">
        <input type="checkbox" name={name} value={value} defaultChecked={chosen.includes(value)} />
        {text}
      </label>
    ))}
  </fieldset>
);

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

/** A form that changes something. What's typed stays when that fails. */
export function ChangeForm({
  submit,
  keeps = false,
  act,
  children,
}: {
  submit: string;
  /** Keeps what's typed after success, too. */
  keeps?: boolean;
  act: (typed: Typed, form: FormData) => Promise<void>;
  children: ComponentChildren;
}) {
  const element = useRef<HTMLFormElement>(null);
  const action = useAction(async () => {
    const form = element.current;
    if (form === null) return;
    const typed = new FormData(form);
    await act(typedIn(typed), typed);
    if (!keeps) form.reset();
  });
  return (
    <form
      ref={element}
      onSubmit={(event) => {
        event.preventDefault();
        action.run();
      }}
    >
      {children}
      {action.failure && <Failure failure={action.failure} />}
      <button type="submit" class="main" aria-disabled={action.isRunning}>
        {action.isRunning ? 'Working…' : submit}
      </button>
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
  <Labelled label={label} hint={hint}>
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
