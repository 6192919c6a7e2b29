// AbortController, AbortSignal and EventTarget of the sandbox.
import { describe, expect, it } from "vitest";
import { importWorld } from "./import-world.js";

const world = await importWorld<{
  AbortController: typeof AbortController;
  AbortSignal: typeof AbortSignal;
  EventTarget: typeof EventTarget;
  Event: typeof Event;
}>("abort.mjs");

describe("AbortController", () => {
  it("notifies its listeners once, with a reason", () => {
    const controller = new world.AbortController();
    const seen: unknown[] = [];
    controller.signal.addEventListener("abort", (event) => seen.push(event.type));
    controller.signal.onabort = () => seen.push("handler");

    controller.abort();
    controller.abort("again");

    expect(seen).toEqual(["handler", "abort"]);
    expect(controller.signal.aborted).toBe(true);
    expect(controller.signal.reason).toMatchObject({ name: "AbortError", code: 20 });
    expect(() => controller.signal.throwIfAborted()).toThrow(controller.signal.reason);
  });

  it("passes on any reason", () => {
    const controller = new world.AbortController();
    controller.abort("enough");

    expect(controller.signal.reason).toBe("enough");
  });
});

describe("AbortSignal", () => {
  it("is created only by a controller", () => {
    expect(() => new (world.AbortSignal as unknown as new () => AbortSignal)()).toThrow(TypeError);
  });

  it("can be aborted from the start, after a time, or by any of several", async () => {
    const controller = new world.AbortController();
    const any = world.AbortSignal.any([new world.AbortController().signal, controller.signal]);
    const timed = world.AbortSignal.timeout(1);
    controller.abort("first");
    await new Promise((resolve) => timed.addEventListener("abort", resolve));

    expect(world.AbortSignal.abort("now").reason).toBe("now");
    expect(any.reason).toBe("first");
    expect(timed.reason).toMatchObject({ name: "TimeoutError" });
  });
});

describe("EventTarget", () => {
  it("forgets a listener after one event, when it is removed, and when its signal is aborted", () => {
    const target = new world.EventTarget();
    const controller = new world.AbortController();
    const seen: string[] = [];
    const removed = () => seen.push("removed");
    target.addEventListener("x", () => seen.push("once"), { once: true });
    target.addEventListener("x", removed);
    target.addEventListener("x", () => seen.push("signal"), { signal: controller.signal });
    target.addEventListener("x", { handleEvent: () => seen.push("object") });
    target.removeEventListener("x", removed);
    target.dispatchEvent(new world.Event("x"));
    controller.abort();
    target.dispatchEvent(new world.Event("x"));

    expect(seen).toEqual(["once", "signal", "object", "object"]);
  });

  it("reports whether an event was prevented", () => {
    const target = new world.EventTarget();
    target.addEventListener("x", (event) => event.preventDefault());

    expect(target.dispatchEvent(new world.Event("x", { cancelable: true }))).toBe(false);
    expect(target.dispatchEvent(new world.Event("x"))).toBe(true);
  });
});
