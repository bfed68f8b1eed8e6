"""Small real doubles, public: a scripted model, agent, gateway and chat, a home, a pseudo-terminal."""
