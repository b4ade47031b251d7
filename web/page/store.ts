// A value that views observe. It outlives them: a request continues while another view is shown.
import { useEffect, useState } from "preact/hooks";

export class Store<T> {
  private readonly watchers = new Set<() => void>();
  constructor(private now: T) {}

  get = () => this.now;
  set = (value: T) => {
    this.now = value;
    for (const tell of [...this.watchers]) tell();
  };

  // Returns a function that ends the subscription.
  watch(tell: () => void) {
    this.watchers.add(tell);
    return () => void this.watchers.delete(tell);
  }

  use(): T {
    const [, again] = useState(0);
    useEffect(() => {
      const tell = () => again((n) => n + 1);
      tell(); // the value may have changed since the view was drawn
      return this.watch(tell);
    }, [this]);
    return this.now;
  }
}
