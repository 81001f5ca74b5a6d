export function Method({ name }: { readonly name: string }) {
  return (
    <span class="method" data-method={name}>
      {name}
    </span>
  );
}
