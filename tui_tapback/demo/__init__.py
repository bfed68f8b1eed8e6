"""Shows the program: pictures from a scripted chat, and the generated parts of the documents."""
