// A value that views watch. It outlives them: what was asked goes on while another view is shown.
import { useEffect, useState } from "preact/hooks";

export class Store<T> {
  private readonly watchers = new Set<() => void>();
  constructor(private now: T) {}

  get = () => this.now;
  set = (value: T) => {
    this.now = value;
    for (const tell of [...this.watchers]) tell();
  };

  // Returns what ends it.
  watch(tell: () => void) {
    this.watchers.add(tell);
    return () => void this.watchers.delete(tell);
  }

  use(): T {
    const [, again] = useState(0);
    useEffect(() => {
      const tell = () => again((n) => n + 1);
      tell(); // it may have changed between drawing and now
      return this.watch(tell);
    }, [this]);
    return this.now;
  }
}
