/** A choice of a few, in one frame. */
export const Segments = <Value extends string>({
  legend,
  name,
  look = '',
  options,
  chosen,
  choose,
}: {
  legend: string;
  name: string;
  look?: 'views' | 'widths' | '';
  options: readonly (readonly [value: Value, words: string])[];
  chosen: Value;
  choose: (value: Value) => void;
}) => (
  <fieldset class={`segments ${look}`}>
    <legend class="visually-hidden">{legend}</legend>
    {options.map(([value, words]) => (
      <label key={value}>
        <input type="radio" name={name} checked={value === chosen} onChange={() => choose(value)} />
        {words}
      </label>
    ))}
  </fieldset>
);
