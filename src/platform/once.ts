/** Makes a value when it is first needed, then releases `make` and all that it refers to. */
export function once<Value>(make: () => Value): () => Value {
  let read = make;
  return () => {
    const value = read();
    read = () => value;
    return value;
  };
}
